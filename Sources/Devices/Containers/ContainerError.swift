// SPDX-License-Identifier: Apache-2.0

/// Why a file cannot be cast or played.
public enum ContainerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// libavformat's answer to opening it, in its words.
    case cannotOpen(path: String, reason: String)
    /// None of its streams has a codec that we carry.
    case noStreams(path: String)
    /// It ends or breaks in the middle; libavutil's code.
    case unreadable(path: String, code: Int32)
    /// The flag given to it was raised.
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
