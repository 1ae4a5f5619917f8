// SPDX-License-Identifier: Apache-2.0
import ControlMessages
import JSON
import System
import Time
import Venue

/// Asks the service who may use the console, and keeps the session of whoever is logged in.
public struct ConsoleGate {
    /// Says who may use the console while the service does not answer.
    /// - Parameters:
    ///   - token: nil to ask whether one is needed.
    ///   - state: the service's state directory.
    public typealias Offline = (_ token: String?, _ state: String) -> ConsoleLogin

    private static let patience = Nanoseconds.seconds(2)

    private let path: String
    private let offline: (_ token: String?) -> ConsoleLogin
    private var session: String?
    /// With which somebody logged in.
    private var token: String?

    init(path: String, offline: @escaping (_ token: String?) -> ConsoleLogin) {
        self.path = path
        self.offline = offline
    }

    /// Variables for the commands of whoever is logged in.
    var environment: [String] { session.map { ["\(ControlClient.sessionVariable)=\($0)"] } ?? [] }

    /// - Parameter shown: a token that was typed; nil to ask whether one is needed.
    mutating func logIn(_ shown: String?) -> ConsoleLogin {
        // The service may have started anew, and forgotten the session: the token opens another.
        if shown == nil, session != nil {
            let answer = connect(with: nil)
            if case .accepted = answer { return answer }
        }
        let wasLoggedIn = session != nil
        (session, token) = (nil, shown ?? token)
        let again = connect(with: token)
        guard case .needed = again else { return again }
        token = nil
        return shown == nil && wasLoggedIn ? .needed(why: nil) : again
    }

    private mutating func connect(with token: String?) -> ConsoleLogin {
        do throws(Status) {
            let answer = try ask("session", token.map { ["token": .string($0)] } ?? [:])
            if let opened = answer["session"]?.string { session = opened }
            guard answer["isNeeded"] != true else { return .needed(why: nil) }
            guard let name = answer["name"]?.string, let role = answer["role"]?.string, session != nil else {
                return .notNeeded(notice: claim)
            }
            return .accepted(name: name, role: role, idle: .seconds(answer["idleSeconds"]?.integer ?? 300))
        } catch {
            guard error.code == .unreachable else { return .needed(why: error.errorString) }
            let answer = offline(token)
            return answer == .needed(why: nil) ? .needed(why: error.errorString) : answer
        }
    }

    mutating func logOut() {
        // If the service does not answer it has no session.
        _ = try? ask("session", ["end": true])
        (session, token) = (nil, nil)
    }

    /// How the box can be claimed; empty if it cannot, or if the service does not say.
    private var claim: [String] {
        guard let answer = try? ask("access-status"), let code = answer["code"]?.string else { return [] }
        let certificate = answer["fingerprint"]?.string.map { ["Its certificate is \($0)."] } ?? []
        let seconds = answer["secondsLeft"]?.integer ?? 0
        return ["Nobody has claimed this box. Its code is \(code), for \(seconds) s."] + certificate
    }

    private func ask(_ command: String, _ arguments: JSONValue = [:]) throws(Status) -> JSONValue {
        do {
            var client = try ControlClient(connectingTo: path)
            try client.wait(atMost: Self.patience)
            try client.send(ControlRequest(id: 1, command: command, arguments: arguments, session: session))
            guard case .answer(let status, let result)? = try client.next() else {
                throw ControlClientError.closed(path)
            }
            guard status.isOk else { throw status }
            return result
        } catch let error as ControlClientError {
            throw error.status
        } catch let status as Status {
            throw status
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }
}
