// SPDX-License-Identifier: Apache-2.0

/// Why a socket cannot listen at a path.
public enum UnixListenerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another process holds the lock.
    case busy(path: String)
    case pathTooLong(path: String, limit: Int)
    /// The path is occupied by something that is not a socket; it is left alone.
    case notASocket(path: String)
    case system(SystemCallError)

    public var description: String {
        switch self {
        case .busy(let path): "another process serves \(path)"
        case .pathTooLong(let path, let limit): "the socket's path is \(path); expected at most \(limit) octets"
        case .notASocket(let path): "\(path) is there and no socket"
        case .system(let error): error.description
        }
    }
}
