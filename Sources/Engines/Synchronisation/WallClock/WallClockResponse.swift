// SPDX-License-Identifier: Apache-2.0
import Time

/// A response or follow-up of CSS-WC, as a value.
public struct WallClockResponse: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case response
        /// A follow-up with a better transmit time will come.
        case responseToBeFollowedUp
        case followUp
    }

    public var kind: Kind
    /// The request's originate time value, which the server has returned.
    public var originate: Monotonic
    public var requestReceived: WallClockInstant
    public var responseSent: WallClockInstant
    public var server: ClockQuality

    public init(
        _ kind: Kind, originate: Monotonic, requestReceived: WallClockInstant, responseSent: WallClockInstant,
        server: ClockQuality
    ) {
        self.kind = kind
        self.originate = originate
        self.requestReceived = requestReceived
        self.responseSent = responseSent
        self.server = server
    }
}
