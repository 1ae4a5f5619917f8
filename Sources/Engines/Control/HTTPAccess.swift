// SPDX-License-Identifier: Apache-2.0
import Commands
import HTTP
import JSON

/// Who callers of HTTP are. The product provides it; any thread may call its functions.
public struct HTTPAccess: Sendable {
    /// The cookie of a session that the page holds.
    public static let cookieName = "touchline-session"

    public enum Denial: Error, Equatable, Sendable {
        /// What the request shows is of nobody: it is wrong, has expired or was revoked.
        case unknown
        /// Too many wrong ones came from there, or altogether.
        case wait(seconds: Int)
    }

    /// A session that was opened.
    public struct Session: Sendable {
        public let text: String
        public let caller: Caller
        /// For how long the browser is to keep it.
        public let seconds: Int

        public init(text: String, caller: Caller, seconds: Int) {
            self.text = text
            self.caller = caller
            self.seconds = seconds
        }
    }

    /// The caller of a request: of what it shows, or, of who shows nothing, by where it comes from.
    public var caller: @Sendable (HTTPRequest, Origin) -> Result<Caller, Denial>
    /// Whether a request that was admitted would be now. Its token may have been revoked since.
    public var stays: @Sendable (HTTPRequest) -> Bool
    /// Opens a session with a token.
    public var open: @Sendable (_ token: String, HTTPRequest) -> Result<Session, Denial>
    /// Ends the session that the request shows.
    public var close: @Sendable (HTTPRequest) -> Void
    /// Whether the box can be claimed with a code, for the page: `open`, `closed` or `claimed`.
    public var claim: @Sendable () -> String
    /// Whether the screen shows a code that makes whoever reads it an administrator.
    public var hidesScreen: @Sendable () -> Bool
    /// Takes what was refused, for the audit.
    public var note: @Sendable (Act) -> Void

    public init(
        caller: @escaping @Sendable (HTTPRequest, Origin) -> Result<Caller, Denial>,
        stays: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true },
        open: @escaping @Sendable (String, HTTPRequest) -> Result<Session, Denial> = { _, _ in .failure(.unknown) },
        close: @escaping @Sendable (HTTPRequest) -> Void = { _ in },
        claim: @escaping @Sendable () -> String = { "closed" },
        hidesScreen: @escaping @Sendable () -> Bool = { false }, note: @escaping @Sendable (Act) -> Void = { _ in }
    ) {
        self.caller = caller
        self.stays = stays
        self.open = open
        self.close = close
        self.claim = claim
        self.hidesScreen = hidesScreen
        self.note = note
    }

    /// Every caller has the same role, as tests have it.
    package static func everybody(as role: Role) -> HTTPAccess {
        HTTPAccess { request, origin in
            .success(Caller(origin, role: role, name: "everybody", address: request.peer.address))
        }
    }
}
