// SPDX-License-Identifier: Apache-2.0
import Time

/// A complete message of a data channel.
public struct DataMessage: Hashable, Sendable {
    public static let mostOctets = 65_536

    /// Number of the message in its sender's run.
    public var sequence: UInt32
    /// Media type (RFC 6838); empty if the sender states none.
    public var contentType: String
    public var octets: [UInt8]
    /// Arrival of the last packet.
    public var arrival: Monotonic

    public init(sequence: UInt32, contentType: String, octets: [UInt8], arrival: Monotonic) {
        self.sequence = sequence
        self.contentType = contentType
        self.octets = octets
        self.arrival = arrival
    }
}
