// SPDX-License-Identifier: Apache-2.0
import System
import Venue

/// Why the control socket cannot be served.
public enum ControlServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another daemon of this box holds the lock (SVM-01).
    case busy(path: String)
    case pathTooLong(path: String, limit: Int)
    /// Something that is no socket stands where ours belongs; it is left alone.
    case notASocket(path: String)
    case system(SystemCallError)

    public var description: String {
        switch self {
        case .busy(let path): "another touchlined serves \(path)"
        case .pathTooLong(let path, let limit): "the socket's path is \(path); expected at most \(limit) octets"
        case .notASocket(let path): "\(path) is there and no socket"
        case .system(let error): error.description
        }
    }

    public var status: Status {
        switch self {
        case .busy: .failure(.busy, description)
        case .pathTooLong, .notASocket: .failure(.configuration, description)
        case .system: .failure(.failed, description)
        }
    }
}
