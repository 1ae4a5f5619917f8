// SPDX-License-Identifier: Apache-2.0
import System
import Venue

/// Why the service did not answer. Each description tells the user what to do. The text of each case is the path of the
/// socket.
public enum ControlClientError: Error, Equatable, Sendable, CustomStringConvertible {
    case unreachable(String, Errno)
    case pathTooLong(String, limit: Int)
    case broken(String, SystemCallError)
    /// The service did not answer in time.
    case silent(String)
    /// The service closed the connection before it answered.
    case closed(String)
    /// The reply is not a line of the control protocol.
    case notOurs(String)

    public var description: String {
        switch self {
        case .unreachable(let path, let code) where code == .notPermitted:
            "\(path): \(code); use an account of the group touchline"
        case .unreachable(let path, let code):
            "no service at \(path) (\(code)); start it (systemctl start touchline) or name its socket with --socket"
        case .pathTooLong(let path, let limit): "--socket is \(path); expected at most \(limit) octets"
        case .broken(let path, let error): "the service at \(path) is gone (\(error)); see touchline log"
        case .silent(let path): "the service at \(path) does not answer; see touchline log"
        case .closed(let path): "the service at \(path) closed the connection; see touchline log"
        case .notOurs(let path): "what answers at \(path) is not touchlined; name its socket with --socket"
        }
    }

    public var status: Status {
        switch self {
        case .pathTooLong: .failure(.usage, description)
        default: .failure(.unreachable, description)
        }
    }
}
