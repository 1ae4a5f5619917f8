// SPDX-License-Identifier: Apache-2.0
import Signing
import Time

/// The sessions of pages. They end with the service, with their token, and when nobody has used them for long.
struct SessionTable: Sendable {
    static let limit = 64
    static let idleSpan = Nanoseconds.seconds(12 * 3_600)
    static let longestSpan = Nanoseconds.seconds(7 * 24 * 3_600)

    private struct Session {
        let digest: SecretDigest
        let token: String
        let opened: Monotonic
        var used: Monotonic

        func isOver(at now: Monotonic) -> Bool { now - used >= idleSpan || now - opened >= longestSpan }
    }

    private var sessions: [Session] = []

    func count(at now: Monotonic) -> Int { sessions.count { !$0.isOver(at: now) } }

    /// Opens a session for the token of this name. The one that was used least lately makes room.
    /// - Returns: its text; nil if libsodium does not work.
    mutating func open(_ token: String, chance: [UInt8], at now: Monotonic) -> String? {
        let text = SecretText.token(chance)
        guard let digest = SecretText.digest(text) else { return nil }
        sessions.removeAll { $0.isOver(at: now) }
        if sessions.count >= Self.limit,
            let oldest = sessions.indices.min(by: { sessions[$0].used < sessions[$1].used })
        {
            sessions.remove(at: oldest)
        }
        sessions.append(Session(digest: digest, token: token, opened: now, used: now))
        return text
    }

    /// The name of the session's token; nil if there is no such session.
    mutating func token(_ text: String, at now: Monotonic) -> String? {
        guard let digest = SecretText.digest(text) else { return nil }
        var found: Int?
        for index in sessions.indices where sessions[index].digest == digest { found = index }
        guard let found, !sessions[found].isOver(at: now) else { return nil }
        sessions[found].used = now
        return sessions[found].token
    }

    mutating func end(_ text: String) {
        guard let digest = SecretText.digest(text) else { return }
        sessions.removeAll { $0.digest == digest }
    }

    mutating func endAll(of token: String? = nil) { sessions.removeAll { token == nil || $0.token == token } }
}
