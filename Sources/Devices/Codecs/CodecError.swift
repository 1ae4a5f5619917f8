// SPDX-License-Identifier: Apache-2.0
import Media

/// What a caller of libavcodec can act on. Where the stream is to blame the codec stays usable: go on with the next
/// unit.
public enum CodecError: Error, Equatable, Sendable, CustomStringConvertible {
    /// This libavcodec was built without it.
    case missing(String)
    /// None of those that may decode it; why.
    case noDecoder(String)
    /// The octets are damaged, or not of this codec.
    case invalidData
    /// The stream announces pictures of more than `VideoDecoder.mostPixels`: each unit is refused until a random-access
    /// unit announces less.
    case tooLarge(width: Int, height: Int)
    /// Decoded, but to a format that nothing of ours draws or plays; its libavutil name.
    case unsupportedFormat(String)
    /// Pictures wait inside: `receive` until it has none, then send again.
    case outputWaiting
    case outOfMemory
    /// Any other refusal: which call, and libavutil's code.
    case failed(call: String, code: Int32)

    /// The octets of this unit are at fault, and another unit may do. Else it is the stream as a whole, or this machine:
    /// worth a report.
    public var isOfData: Bool {
        switch self {
        case .invalidData, .outputWaiting: true
        case .missing, .noDecoder, .tooLarge, .unsupportedFormat, .outOfMemory, .failed: false
        }
    }

    public var description: String {
        switch self {
        case .missing(let name): "libavcodec has no \(name)"
        case .noDecoder(let why): why
        case .invalidData: "invalid data"
        case .tooLarge(let width, let height): "pictures of \(width) x \(height) are too large"
        case .unsupportedFormat(let name): "format \(name) is not supported"
        case .outputWaiting: "decoded output is waiting to be received"
        case .outOfMemory: "libavcodec is out of memory"
        case .failed(let call, let code): "\(call) failed with \(code)"
        }
    }
}
