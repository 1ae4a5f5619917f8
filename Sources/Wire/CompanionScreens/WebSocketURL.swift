// SPDX-License-Identifier: Apache-2.0

/// The URL of a WebSocket service (RFC 6455 §3), as CSS-TS and CSS-TE have one.
public struct WebSocketURL: Hashable, Sendable, LosslessStringConvertible {
    /// The URL, exactly as it was given.
    public let description: String
    public let host: ServiceHost
    /// 80 or, with TLS, 443 if the URL tells none.
    public let port: UInt16
    /// Path and query, as the request has them; "/" if there is no path.
    public let target: String
    /// Whether TLS is asked for.
    public let isSecure: Bool

    /// Nil unless the text is a `ws` or `wss` URL with a host: printable ASCII, at most 2 048 octets, no fragment, no user.
    public init?(_ text: String) {
        guard let url = ServiceURL(text), url.scheme == "ws" || url.scheme == "wss" else { return nil }
        description = text
        host = url.host
        isSecure = url.scheme == "wss"
        port = url.port ?? (isSecure ? 443 : 80)
        target = url.rest.hasPrefix("/") ? url.rest : "/" + url.rest
    }
}
