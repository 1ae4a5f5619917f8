// SPDX-License-Identifier: Apache-2.0
import Time

/// A document to fetch by HTTP.
public struct TransferRequest: Hashable, Sendable {
    /// `http` alone.
    public var url: String
    /// The longest body of an answer that is taken, in octets.
    public var mostOctets: Int
    /// For the connection and the whole answer together.
    public var timeout: Nanoseconds
    /// Names of the fields of the answer's header that are wanted, with any case.
    public var fields: [String]
    /// Whether the server has to be on a network of an interface of this machine: nothing is sent to a gateway.
    public var staysOnLink: Bool

    public init(
        _ url: String, mostOctets: Int, timeout: Nanoseconds, fields: [String] = [], staysOnLink: Bool = false
    ) {
        precondition(mostOctets > 0 && timeout >= .milliseconds(1))
        (self.url, self.mostOctets, self.timeout, self.fields) = (url, mostOctets, timeout, fields)
        self.staysOnLink = staysOnLink
    }
}
