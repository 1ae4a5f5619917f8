// SPDX-License-Identifier: Apache-2.0

/// What an HTTP server answers.
public struct HTTPResponse: Equatable, Sendable {
    public enum Body: Equatable, Sendable {
        case octets([UInt8])
        /// Comes in pieces behind these octets, until one side closes the connection.
        case stream(opening: [UInt8])
    }

    public var code: Int
    /// Beside `Content-Length` and `Connection`, which `head` writes. Names and values are ours: no line ends in them.
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

    /// The value of a field, by its name as written here.
    public func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Status line and fields with the empty line behind them (RFC 9112 §4, §5).
    /// - Parameter closes: the connection is not used again; so it is after a stream.
    public func head(closes: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(code) \(Self.reason(code))\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        var isLast = closes
        switch body {
        case .octets(let octets):
            if code != 204 { text += "Content-Length: \(octets.count)\r\n" }
        case .stream: isLast = true
        }
        if isLast { text += "Connection: close\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// RFC 9110 §15; nobody reads it but people.
    private static func reason(_ code: Int) -> String {
        switch code {
        case 200: "OK"
        case 204: "No Content"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        default: "Other"
        }
    }
}
