// SPDX-License-Identifier: Apache-2.0
import Time

/// A document to fetch or to send by HTTP.
public struct TransferRequest: Hashable, Sendable {
    public enum Method: String, Hashable, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
    }

    /// A field of the request's header.
    public struct Field: Hashable, Sendable {
        public let name: String
        public let value: String

        /// - Parameter value: without a control character, which would begin another field.
        public init(_ name: String, _ value: String) {
            precondition(!(name + value).unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
            (self.name, self.value) = (name, value)
        }
    }

    /// Who is believed to be the server of an `https` URL.
    public enum Trust: Hashable, Sendable {
        /// Whom the authorities of the system vouch for.
        case system
        /// Whom one of these authorities vouches for: certificates in PEM.
        case authorities(String)
        /// Whoever has the key with this digest: `sha256//` and base64 of the SHA-256 of its SubjectPublicKeyInfo.
        case key(String)
    }

    /// Of the scheme `http`, or `https` too where `trust` is set.
    public var url: String
    public var method = Method.get
    /// The body of a PUT or a POST; a GET has none.
    public var body: [UInt8] = []
    public var header: [Field] = []
    /// nil: `http` alone.
    public var trust: Trust?
    /// The longest body of an answer that is taken, in octets.
    public var mostOctets: Int
    /// For the connection and the whole answer together.
    public var timeout: Nanoseconds
    /// Names of the fields of the answer's header that are wanted, with any case.
    public var fields: [String]
    /// Whether the server has to be on a network of an interface of this machine: nothing is sent to a gateway.
    public var staysOnLink: Bool
    /// Whether the connection stays open for the next request that may use it: of whoever asks a server again and again,
    /// TLS would cost both sides more than the request.
    public var keepsConnection = false
    /// Whether the server may be this machine or have a link-local address, whatever its name leads to.
    public var mayBeNear = true

    public init(
        _ url: String, mostOctets: Int, timeout: Nanoseconds, fields: [String] = [], staysOnLink: Bool = false
    ) {
        precondition(mostOctets > 0 && timeout >= .milliseconds(1))
        (self.url, self.mostOctets, self.timeout, self.fields) = (url, mostOctets, timeout, fields)
        self.staysOnLink = staysOnLink
    }
}
