// SPDX-License-Identifier: Apache-2.0
import Media

/// An error of libavcodec that a caller can act on. If the stream is at fault, the codec stays usable for the next
/// unit.
public enum CodecError: Error, Equatable, Sendable, CustomStringConvertible {
    /// This build of libavcodec lacks the named codec.
    case missing(String)
    /// None of the permitted decoders can decode the stream; the reason.
    case noDecoder(String)
    /// The octets are damaged or belong to another codec.
    case invalidData
    /// The stream announces pictures of more than `VideoDecoder.mostPixels` pixels. Each unit is refused until a
    /// random-access unit announces smaller ones.
    case tooLarge(width: Int, height: Int)
    /// The output has a format that we cannot draw or play; its libavutil name.
    case unsupportedFormat(String)
    /// Output is waiting: call `receive` until it has none, then send again.
    case outputWaiting
    case outOfMemory
    /// Any other failure: the libavcodec call and its error code.
    case failed(call: String, code: Int32)

    /// Whether only this unit is at fault, so that another unit may succeed. Otherwise the whole stream or this machine
    /// is at fault, which is worth a report.
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
