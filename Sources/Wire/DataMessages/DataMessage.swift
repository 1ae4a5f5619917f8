// SPDX-License-Identifier: Apache-2.0
import Time

/// One message of a data channel, whole.
public struct DataMessage: Hashable, Sendable {
    public static let mostOctets = 65_536

    /// Counts the messages of a sender's run.
    public var sequence: UInt32
    /// Media type (RFC 6838); empty when the sender says none.
    public var contentType: String
    public var octets: [UInt8]
    /// When its last packet came.
    public var arrival: Monotonic

    public init(sequence: UInt32, contentType: String, octets: [UInt8], arrival: Monotonic) {
        self.sequence = sequence
        self.contentType = contentType
        self.octets = octets
        self.arrival = arrival
    }
}
