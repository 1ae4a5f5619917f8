// SPDX-License-Identifier: Apache-2.0

/// What a request shows of who sends it. Nothing in it has been checked against anything.
public enum HTTPCredentials: Equatable, Sendable {
    /// A token (RFC 6750 §2.1), as `Authorization: Bearer TOKEN`, or as the subprotocol `bearer.TOKEN` of a WebSocket.
    case token(String)
    /// The value of the session's cookie.
    case session(String)
    /// Another scheme than Bearer, or a form that has no token.
    case unreadable
}

extension HTTPRequest {
    /// Octets of the longest token or session that is looked at.
    static let credentialLimit = 256

    /// What the request shows; nil for nothing. A token counts before a session.
    /// - Parameter cookieName: name of the session's cookie.
    public func credentials(cookieName: String) -> HTTPCredentials? {
        if let authorization {
            return Self.bearer(authorization).map { .token($0) } ?? .unreadable
        }
        if let token = offeredToken { return Self.isToken(token) ? .token(token) : .unreadable }
        guard let session = cookie(cookieName) else { return nil }
        return Self.isToken(session) ? .session(session) : .unreadable
    }

    private static func bearer(_ field: String) -> String? {
        let words = field.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        let token = String(words[1])
        return isToken(token) ? token : nil
    }

    private var offeredToken: String? {
        let prefix = "bearer."
        let offered = (subprotocols ?? "").split(whereSeparator: { $0 == "," || $0 == " " })
        return offered.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }

    /// The value of a cookie (RFC 6265 §4.2.1); nil if there is none of this name.
    private func cookie(_ name: String) -> String? {
        for pair in (cookie ?? "").utf8.split(separator: UInt8(ascii: ";")) {
            let octets = pair.drop { $0 == UInt8(ascii: " ") }
            guard octets.starts(with: Array("\(name)=".utf8)) else { continue }
            return String(octets.dropFirst(name.utf8.count + 1))
        }
        return nil
    }

    /// Whether it has the form of a token (token68 of RFC 9110 §11.2).
    private static func isToken(_ text: String) -> Bool {
        (1...credentialLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { octet in
                switch octet {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                default: "-._~+/=".utf8.contains(octet)
                }
            }
    }
}
