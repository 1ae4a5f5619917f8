// SPDX-License-Identifier: Apache-2.0

/// The parts of an HTTP request that are used. Nothing in it has been validated.
public struct HTTPRequest: Equatable, Sendable {
    public enum Body: Equatable, Sendable {
        case octets([UInt8])
        /// The body was not read, because it is larger than the limit.
        case tooLarge(limit: Int)
        /// The body was not read, because it is chunked or `Content-Length` is not a number.
        case ofUnknownLength
    }

    public var method: HTTPMethod
    /// The path, percent-decoded. Octets that are not UTF-8 become U+FFFD.
    public var path: String
    /// The parts of the query between `&`, percent-decoded.
    public var query: [[UInt8]]
    /// What ends the request line, as `HTTP/1.1`; nil if the line ended before it.
    public var version: String?
    /// Header fields. A field is nil if absent; repeated fields are joined by a space.
    public var host: String?
    public var origin: String?
    public var accept: String?
    public var contentType: String?
    public var contentEncoding: String?
    public var ifNoneMatch: String?
    public var range: String?
    /// `Idempotency-Key`, as the client wrote it.
    public var idempotencyKey: String?
    /// Whom the client is to be taken for; see `HTTPRequest+Credentials`.
    public var authorization: String?
    public var cookie: String?
    /// The subprotocols that a WebSocket offers.
    public var subprotocols: String?
    public var body: Body
    /// The connection that it came by.
    public var peer: HTTPPeer

    public init(
        _ method: HTTPMethod, _ path: String, query: [[UInt8]] = [], version: String? = "HTTP/1.1", host: String? = nil,
        origin: String? = nil, accept: String? = nil, contentType: String? = nil, idempotencyKey: String? = nil,
        body: Body = .octets([]), peer: HTTPPeer = .loopback(port: 8_080)
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.version = version
        self.host = host
        self.origin = origin
        self.accept = accept
        self.contentType = contentType
        self.idempotencyKey = idempotencyKey
        self.body = body
        self.peer = peer
    }
}
