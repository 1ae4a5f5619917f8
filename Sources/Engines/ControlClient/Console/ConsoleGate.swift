// SPDX-License-Identifier: Apache-2.0
import ControlMessages
import JSON
import System
import Time
import Venue

/// Asks the service who may use the console.
struct ConsoleGate {
    private static let patience = Nanoseconds.seconds(2)

    private let path: String

    init(path: String) { self.path = path }

    /// Variables for the commands of whoever is logged in.
    var environment: [String] { [] }

    mutating func logIn(_ token: String?) -> ConsoleLogin { .notNeeded(notice: claim) }

    mutating func logOut() {}

    /// How the box can be claimed; empty if it cannot, or if the service does not say.
    private var claim: [String] {
        guard let answer = ask("access-status"), let code = answer["code"]?.string else { return [] }
        let certificate = answer["fingerprint"]?.string.map { ["Its certificate is \($0)."] } ?? []
        let seconds = answer["secondsLeft"]?.integer ?? 0
        return ["Nobody has claimed this box. Its code is \(code), for \(seconds) s."] + certificate
    }

    /// The answer; nil if there is none. The first command says that the service does not answer.
    private func ask(_ command: String, _ arguments: JSONValue = [:]) -> JSONValue? {
        do {
            var client = try ControlClient(connectingTo: path)
            try client.wait(atMost: Self.patience)
            try client.send(ControlRequest(id: 1, command: command, arguments: arguments))
            if case .answer(_, let result)? = try client.next() { return result }
        } catch {
            return nil
        }
        return nil
    }
}
