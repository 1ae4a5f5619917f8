// SPDX-License-Identifier: Apache-2.0
import Media

/// What a caller of libavcodec can act on. Where the stream is to blame the codec stays usable: go on with the next
/// unit.
public enum CodecError: Error, Equatable, Sendable, CustomStringConvertible {
    /// This libavcodec was built without it.
    case missing(String)
    /// The octets are damaged, or not of this codec.
    case invalidData
    /// Decoded, but to a format that nothing of ours draws or plays; its libavutil name.
    case unsupportedFormat(String)
    /// Pictures wait inside: `receive` until it has none, then send again.
    case outputWaiting
    case outOfMemory
    /// Any other refusal: which call, and libavutil's code.
    case failed(call: String, code: Int32)

    public var description: String {
        switch self {
        case .missing(let name): "libavcodec has no \(name)"
        case .invalidData: "invalid data"
        case .unsupportedFormat(let name): "format \(name) is not supported"
        case .outputWaiting: "decoded output is waiting to be received"
        case .outOfMemory: "libavcodec is out of memory"
        case .failed(let call, let code): "\(call) failed with \(code)"
        }
    }
}
