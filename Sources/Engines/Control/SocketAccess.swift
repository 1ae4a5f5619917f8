// SPDX-License-Identifier: Apache-2.0
import Commands
import Venue

/// Who callers of the control socket are, beyond what the kernel tells of them. The product provides it; its functions are
/// called on the control loop's thread.
public struct SocketAccess {
    /// A session that was opened with a token.
    public struct Session {
        public let text: String
        public let caller: Caller

        public init(text: String, caller: Caller) { (self.text, self.caller) = (text, caller) }
    }

    /// The role of members of the group `touchline` that are neither root nor the service's own user.
    public var groupRole: () -> Role = { .administrator }
    /// Whether the local user of this number may do nothing without a session: it is the console's, and the box has tokens.
    public var needsSession: (_ user: UInt32) -> Bool = { _ in false }
    /// The caller whose session this is.
    public var caller: (_ session: String) throws(Status) -> Caller = { (_) throws(Status) in throw Self.noSessions }
    /// Opens a session with a token.
    public var open: (_ token: String) throws(Status) -> Session = { (_) throws(Status) in throw Self.noSessions }
    public var close: (_ session: String) -> Void = { _ in }
    /// After how many seconds without a key a console ends its session.
    public var idleSeconds: () -> Int64 = { 300 }

    public init() {}

    private static let noSessions = Status.failure(.failed, "this socket has no sessions")
}
