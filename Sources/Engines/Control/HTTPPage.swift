// SPDX-License-Identifier: Apache-2.0
import HTTP

/// A file of the live page.
public struct HTTPPage: Sendable {
    private let octets: [UInt8]
    private let type: String

    /// - Parameter type: the media type, with the character set.
    public init(_ octets: [UInt8], type: String) {
        self.octets = octets
        self.type = type
    }

    /// The Content Security Policy: the page may load from this server and nowhere else.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    var response: HTTPResponse {
        HTTPResponse(
            200,
            fields: [
                ("Content-Type", type), ("Cache-Control", "no-cache"), ("Content-Security-Policy", Self.policy),
            ] + HTTPResponse.guards, body: .octets(octets))
    }
}
