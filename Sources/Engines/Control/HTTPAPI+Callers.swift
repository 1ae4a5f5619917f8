// SPDX-License-Identifier: Apache-2.0
import Commands
import HTTP
import JSON
import Venue

/// Who a caller is and what it may do. Who shows nothing and lacks the right is answered 401, because a token would help;
/// who is known and lacks it, 403.
extension HTTPAPI {
    func caller(of request: HTTPRequest, by origin: Origin) throws(HTTPRefusal) -> Caller {
        switch access.caller(request, origin) {
        case .success(let caller): return caller
        case .failure(let denial): throw Self.refusal(denial)
        }
    }

    static func refusal(_ denial: HTTPAccess.Denial) -> HTTPRefusal {
        switch denial {
        case .unknown:
            return HTTPRefusal(
                401, .failure(.failed, "the token or the session is not known here; expected one that is valid"),
                endsSession: true)
        case .wait(let seconds):
            let why = "too many wrong tokens came; expected a pause of \(seconds) s"
            return HTTPRefusal(429, .failure(.busy, why), retryAfter: seconds)
        }
    }

    /// - Throws: if the caller may not give the command.
    func check(_ caller: Caller, for command: CommandDescription) throws(HTTPRefusal) {
        let refusal = Dispatcher.refusal(of: command, for: caller, hidesScreen: access.hidesScreen())
        if let refusal { throw denied(caller, command.name, refusal, isAdministration: command.role > .operator) }
    }

    /// - Throws: if the caller may not even look at what is at this path.
    func checkViewer(_ caller: Caller, at path: String, seesScreen: Bool = false) throws(HTTPRefusal) {
        if caller.role == nil {
            throw denied(caller, path, .failure(.failed, "\(path) needs the role viewer; this is nobody that is known"))
        }
        guard seesScreen, access.hidesScreen(), let refusal = Dispatcher.screenRefusal(for: caller) else { return }
        throw denied(caller, path, refusal)
    }

    private func denied(
        _ caller: Caller, _ what: String, _ status: Status, isAdministration: Bool = true
    ) -> HTTPRefusal {
        access.note(Act(caller, what, isAdministration: isAdministration, .refused(status.errorString)))
        return HTTPRefusal(caller.name == nil ? 401 : 403, status)
    }

    // MARK: Sessions

    /// The page's session: `POST` opens it with a token, `DELETE` ends it, `GET` says who the caller is.
    func session(_ request: HTTPRequest) throws(HTTPRefusal) -> HTTPResponse {
        try check(request, for: [.get, .post, .delete])
        switch request.method {
        case .post:
            let arguments = try body(of: request)
            guard let token = arguments["token"]?.string, arguments.object?.count == 1 else {
                throw HTTPRefusal(400, .failure(.usage, "expected an object with token, a text"))
            }
            switch access.open(token, request) {
            case .success(let session):
                var response = about(session.caller)
                response.fields.append(
                    ("Set-Cookie", Self.cookie(session.text, seconds: session.seconds, isSecure: request.peer.isSecure))
                )
                return response
            case .failure(let denial): throw Self.refusal(denial)
            }
        case .delete:
            access.close(request)
            var response = HTTPResponse.document([0x7b, 0x7d], type: "application/json")
            response.fields.append(("Set-Cookie", Self.cookie("", seconds: 0, isSecure: request.peer.isSecure)))
            return response
        default: return about(try caller(of: request, by: .http))
        }
    }

    private func about(_ caller: Caller) -> HTTPResponse {
        var members: [String: JSONValue] = ["claim": .string(access.claim())]
        members["name"] = caller.name.map { .string($0) }
        members["role"] = caller.role.map { .string($0.rawValue) }
        return .document(JSONValue.object(members).octets(), type: "application/json")
    }

    /// Scripts do not see it, and no request that begins on another site carries it (RFC 6265, and its successor's
    /// SameSite).
    /// - Parameter seconds: 0 removes it.
    static func cookie(_ text: String, seconds: Int, isSecure: Bool) -> String {
        "\(HTTPAccess.cookieName)=\(text); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
