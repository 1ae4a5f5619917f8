// SPDX-License-Identifier: Apache-2.0

/// The two ends of the connection that a request came by.
public struct HTTPPeer: Hashable, Sendable {
    /// Numeric address of the client, without a port; an IPv4 address is written as one.
    public var address: String
    /// Numeric address and port of the server that the client connected to.
    public var localAddress: String
    public var localPort: UInt16
    /// Whether the client is on this machine.
    public var isLoopback: Bool
    /// Whether it came by TLS.
    public var isSecure: Bool

    public init(
        address: String, localAddress: String, localPort: UInt16, isLoopback: Bool, isSecure: Bool
    ) {
        self.address = address
        self.localAddress = localAddress
        self.localPort = localPort
        self.isLoopback = isLoopback
        self.isSecure = isSecure
    }

    /// A client of this machine without TLS, as tests have it.
    public static func loopback(port: UInt16) -> HTTPPeer {
        HTTPPeer(
            address: "127.0.0.1", localAddress: "127.0.0.1", localPort: port, isLoopback: true, isSecure: false)
    }

    /// The scheme of addresses by which the server is reached so.
    public var scheme: String { isSecure ? "https" : "http" }

    /// The port, as it stands behind a host; empty for the scheme's own.
    public var portSuffix: String { localPort == (isSecure ? 443 : 80) ? "" : ":\(localPort)" }

    /// The server's address as it stands in a URL.
    public var localHost: String { localAddress.utf8.contains(UInt8(ascii: ":")) ? "[\(localAddress)]" : localAddress }
}
