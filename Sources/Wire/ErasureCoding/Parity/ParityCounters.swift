// SPDX-License-Identifier: Apache-2.0

/// Totals of the parity packets of a flow, and of the media packets that they cover.
///
/// Every packet given to the repairer as a column or a row counts in one of `columnPackets`, `rowPackets` and
/// `malformed`. `columnPackets + rowPackets == unneeded + recoveredPackets + unsolved + unusable + waiting`, where
/// `waiting` are those that may still be of use (`ParityRepairer.waitingParity`).
public struct ParityCounters: Hashable, Sendable {
    /// Well-formed parity packets, by the flow that their header states.
    public var columnPackets: Int64 = 0
    public var rowPackets: Int64 = 0
    /// Parity packets whose header could not be read.
    public var malformed: Int64 = 0
    /// Parity packets all of whose media packets were received or recovered by others.
    public var unneeded: Int64 = 0
    /// Parity packets that recovered one media packet each.
    public var recoveredPackets: Int64 = 0
    /// Parity packets of which two or more media packets stayed lost.
    public var unsolved: Int64 = 0
    /// Parity packets that are too late, too early, duplicates, or longer or wider than what is kept; those of a flow
    /// whose sums are wrong; and those whose result is not a packet of the media.
    public var unusable: Int64 = 0
    /// Media packets that a parity packet covered and that stayed lost. Each counts once, when it leaves the window.
    /// Those before the first packet received do not count.
    public var unrecoveredPackets: Int64 = 0
    /// Restarts of the sender: another SSRC, or distant sequence numbers.
    public var restarts: Int64 = 0

    public init() {}
}
