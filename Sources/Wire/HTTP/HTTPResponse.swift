// SPDX-License-Identifier: Apache-2.0

/// An HTTP response.
public struct HTTPResponse: Equatable, Sendable {
    public enum Body: Equatable, Sendable {
        case octets([UInt8])
        /// A body that begins with these octets and continues in pieces until one side closes the connection.
        case stream(opening: [UInt8])
    }

    public var code: Int
    /// Header fields besides `Content-Length` and `Connection`, which `head` writes. Names and values come from this
    /// program and contain no line breaks.
    public var fields: [(name: String, value: String)]
    public var body: Body

    public init(_ code: Int, fields: [(name: String, value: String)] = [], body: Body = .octets([])) {
        self.code = code
        self.fields = fields
        self.body = body
    }

    public static func == (left: HTTPResponse, right: HTTPResponse) -> Bool {
        left.code == right.code && left.body == right.body
            && left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
    }

    /// The value of a field, by its exact name; nil if absent.
    public func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The status line, the header fields and the empty line (RFC 9112 §4, §5).
    /// - Parameter closes: whether the connection closes after the response. After a stream it always does.
    public func head(closes: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(code) \(Self.reason(code))\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        var isLast = closes
        switch body {
        case .octets(let octets):
            if code != 204, code != 304 { text += "Content-Length: \(octets.count)\r\n" }
        case .stream: isLast = true
        }
        if isLast { text += "Connection: close\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// The reason phrase (RFC 9110 §15), for people only.
    private static func reason(_ code: Int) -> String {
        switch code {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 206: "Partial Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 507: "Insufficient Storage"
        default: "Other"
        }
    }
}
