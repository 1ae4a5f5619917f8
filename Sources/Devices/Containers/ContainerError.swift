// SPDX-License-Identifier: Apache-2.0

/// Why a media file cannot be streamed or played.
public enum ContainerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// libavformat could not open the file; `reason` is its own error text.
    case cannotOpen(path: String, reason: String)
    /// No stream of the file has a codec that we carry.
    case noStreams(path: String)
    /// Reading failed before the end of the file; `code` is libavutil's error code.
    case unreadable(path: String, code: Int32)
    /// The stop flag passed to `MediaFile.init` was raised.
    case interrupted(path: String)
    case outOfMemory

    public var description: String {
        switch self {
        case .cannotOpen(let path, let reason): "\(path): \(reason)"
        case .noStreams(let path): "\(path): no video or audio of a codec that can be carried"
        case .unreadable(let path, let code): "\(path): reading failed with \(code)"
        case .interrupted(let path): "\(path): reading was interrupted"
        case .outOfMemory: "libavformat is out of memory"
        }
    }
}
