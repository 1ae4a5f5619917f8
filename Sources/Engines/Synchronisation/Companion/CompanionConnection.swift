// SPDX-License-Identifier: Apache-2.0

/// One connection of a client to a service of a television. Each attempt to connect has a number of its own, so that what
/// is reported late of a former connection is recognised.
public struct CompanionConnection: Hashable, Sendable, CustomStringConvertible {
    public enum Service: String, Sendable {
        /// CSS-CII: what is presented, and where the other services are.
        case information
        /// CSS-TS.
        case timeline
    }

    /// How a connection ended, or why it was not made.
    public enum End: Hashable, Sendable {
        /// The server answered the handshake with an HTTP status.
        case refused(status: Int)
        /// The server closed it; nil if it told no status.
        case closed(status: UInt16?)
        /// The name has no address, nobody answered, or the connection broke.
        case failed
    }

    public let service: Service
    public let number: UInt64

    public var description: String { "\(service.rawValue) \(number)" }
}
