// SPDX-License-Identifier: Apache-2.0

/// What a `WebServer` bears. It holds for connections that come after it was set.
public struct WebLimits: Equatable, Sendable {
    /// Connections of all kinds; callers beyond it are answered with 503.
    public var connections = 320
    /// Connections from one address that is not loopback; nil for no such limit.
    public var connectionsOfOnePeer: Int?
    /// Connections, of `connections`, that are left for callers on loopback.
    public var reservedForLoopback = 0
    /// Octets of a request's body.
    public var bodyOctets = 416 << 10
    /// Seconds for a handshake of TLS and the first request, for each further part of one, and for a client to take a piece
    /// of an answer.
    public var patienceSeconds = 15
    /// Seconds for which a connection without a request stays open.
    public var idleSeconds = 30

    public init() {}
}
