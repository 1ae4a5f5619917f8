// SPDX-License-Identifier: Apache-2.0
import ControlClient
import Credentials
import System
import Time

/// Says who may use the console while the service does not answer: whoever has a token that the service knew.
final class OfflineLogin {
    /// The user by whom the unit runs the console.
    private static let consoleUser = "touchline-console"
    private static let idle = Nanoseconds.seconds(300)

    private var lockout = Lockout()
    private let isConsole: Bool

    /// - Parameter isConsole: whether this process is the console of the unit; nil to ask the system.
    init(isConsole: Bool? = nil) {
        self.isConsole = isConsole ?? (SystemUser.number(of: Self.consoleUser) == SystemUser.own)
    }

    /// - Parameters:
    ///   - token: nil to ask whether one is needed.
    ///   - directory: the service's state directory.
    func logIn(_ token: String?, in directory: String) -> ConsoleLogin {
        // Whom the console's unit has not started is somebody whom the machine knows.
        guard isConsole else { return .notNeeded(notice: []) }
        let credentials: Credentials
        do {
            credentials = try CredentialStore.read(in: directory)
        } catch {
            return .needed(why: "the service does not answer, and its tokens cannot be read: \(error)")
        }
        guard !credentials.tokens.isEmpty else { return .notNeeded(notice: []) }
        guard let token else { return .needed(why: nil) }
        let now = SystemClock.monotonic()
        if let wait = lockout.wait(of: "", at: now) {
            return .needed(why: "too many wrong tokens; none is looked at for \(wait.seconds + 1) s")
        }
        guard let known = credentials.token(token, at: max(SystemClock.wall(), ProgramFile.built)) else {
            _ = lockout.failed("", at: now)
            return .needed(why: "the token is none of this box; expected one that token-create made")
        }
        lockout.succeeded("", at: now)
        return .accepted(name: known.name, role: known.role.rawValue, idle: Self.idle)
    }
}
