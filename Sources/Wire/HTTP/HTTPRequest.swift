// SPDX-License-Identifier: Apache-2.0

/// What somebody asks of an HTTP server, as far as we look at it. Nothing in it has been checked.
public struct HTTPRequest: Equatable, Sendable {
    public enum Body: Equatable, Sendable {
        case octets([UInt8])
        /// Not read.
        case tooLarge(limit: Int)
        /// Not read: in chunks, or `Content-Length` is no number.
        case ofUnknownLength
    }

    public var method: HTTPMethod
    /// Percent-decoded; octets that are no UTF-8 are U+FFFD.
    public var path: String
    /// The query's parts between `&`, percent-decoded.
    public var query: [[UInt8]]
    /// Fields that are not there are nil; one that is there twice is both, with a space between.
    public var host: String?
    public var origin: String?
    public var accept: String?
    public var contentType: String?
    public var body: Body

    public init(
        _ method: HTTPMethod, _ path: String, query: [[UInt8]] = [], host: String? = nil, origin: String? = nil,
        accept: String? = nil, contentType: String? = nil, body: Body = .octets([])
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.host = host
        self.origin = origin
        self.accept = accept
        self.contentType = contentType
        self.body = body
    }
}
