// SPDX-License-Identifier: Apache-2.0
import Commands
import ControlMessages
import JSON
import Venue

/// The request `session` of the control socket, which is no command, as `/v1/session` of HTTP is none: it says who the
/// caller is, opens a session with `{"token":…}`, and ends the one that it shows with `{"end":true}`.
enum SocketSession {
    static let name = "session"

    /// - Parameter caller: of the request; nil if the session that it shows is none any more.
    static func answer(
        to request: ControlRequest, of caller: Caller?, _ access: SocketAccess
    ) -> Result<JSONValue, Status> {
        guard let members = request.arguments.object, members.count <= 1 else { return .failure(expectation) }
        switch members.first {
        case nil: return .success(about(caller, access))
        case ("token", .string(let token))?:
            do throws(Status) {
                let session = try access.open(token)
                guard case .object(var members) = about(session.caller, access) else { return .failure(expectation) }
                members["session"] = .string(session.text)
                return .success(.object(members))
            } catch {
                return .failure(error)
            }
        case ("end", true)?:
            if let session = request.session { access.close(session) }
            return .success([:])
        default: return .failure(expectation)
        }
    }

    private static let expectation = Status.failure(
        .usage, #"session: expected no arguments, {"token":TEXT} or {"end":true}"#)

    private static func about(_ caller: Caller?, _ access: SocketAccess) -> JSONValue {
        var members: [String: JSONValue] = [
            "isNeeded": .bool(caller?.role == nil), "idleSeconds": .integer(access.idleSeconds()),
        ]
        members["name"] = caller?.origin == .console ? caller?.name.map { .string($0) } : nil
        members["role"] = caller?.role.map { .string($0.rawValue) }
        return .object(members)
    }
}
