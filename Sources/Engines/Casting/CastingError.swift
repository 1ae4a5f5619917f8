// SPDX-License-Identifier: Apache-2.0

/// Why a channel cannot be sent.
public enum CastingError: Error, Equatable, Sendable, CustomStringConvertible {
    case unsupportedCodec(path: String, codec: String)
    case noVideo(path: String)

    public var description: String {
        switch self {
        case .unsupportedCodec(let path, let codec): "\(path) has \(codec); H.264 and AAC can be cast"
        case .noVideo(let path): "\(path) has no H.264 pictures"
        }
    }
}
