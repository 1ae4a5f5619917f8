// SPDX-License-Identifier: Apache-2.0

/// The URL of a WebSocket service (RFC 6455 §3), as CSS-TS and CSS-TE have one.
public struct WebSocketURL: Hashable, Sendable, LosslessStringConvertible {
    /// The URL, exactly as it was given.
    public let description: String

    /// Nil unless the text is a `ws` or `wss` URL with a host: printable ASCII, at most 2 048 octets, no fragment, no user.
    public init?(_ text: String) {
        guard let url = ServiceURL(text), url.scheme == "ws" || url.scheme == "wss" else { return nil }
        description = text
    }
}
