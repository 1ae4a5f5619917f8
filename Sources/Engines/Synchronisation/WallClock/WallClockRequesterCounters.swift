// SPDX-License-Identifier: Apache-2.0

/// What a wall clock client counts.
public struct WallClockRequesterCounters: Hashable, Sendable {
    public var requests: UInt64 = 0
    public var candidatesAccepted: UInt64 = 0
    /// Round trips so long that the candidate said nothing new.
    public var candidatesUninformative: UInt64 = 0
    public var candidatesSuspected: UInt64 = 0
    /// Times running backwards or out of range, absurd precisions and frequency errors, round trips that cannot be.
    public var candidatesRefused: UInt64 = 0
    public var responsesUnmatched: UInt64 = 0
    public var responsesRepeated: UInt64 = 0
    /// Follow-ups that were used.
    public var followUps: UInt64 = 0
    /// Follow-ups that were announced and did not come in time.
    public var followUpsMissed: UInt64 = 0
    public var timeouts: UInt64 = 0
    public var serversLost: UInt64 = 0
    /// Steps of the server's clock.
    public var serverSteps: UInt64 = 0
    /// Steps of the wall clock as it is given out, the first acquisition left out.
    public var clockSteps: UInt64 = 0
    /// Instants that were given to the client and were more than a second before the last.
    public var localStepsBack: UInt64 = 0

    public init() {}
}
