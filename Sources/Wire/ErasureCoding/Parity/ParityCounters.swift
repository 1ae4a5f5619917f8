// SPDX-License-Identifier: Apache-2.0

/// What became of the parity packets of a flow, and by them of its media. Totals.
///
/// Every packet given to the repairer as a column or a row is one of `columnPackets`, `rowPackets` and `malformed`; and
/// `columnPackets + rowPackets == unneeded + recoveredPackets + unsolved + unusable + waiting`, where `waiting` are those
/// that may still be of use (`ParityRepairer.waitingParity`).
public struct ParityCounters: Hashable, Sendable {
    /// Well-formed ones, by what their header says, wherever they came.
    public var columnPackets: Int64 = 0
    public var rowPackets: Int64 = 0
    /// Their headers could not be read.
    public var malformed: Int64 = 0
    /// All that they sum came, or was made by others.
    public var unneeded: Int64 = 0
    /// Each made one packet of the media.
    public var recoveredPackets: Int64 = 0
    /// Two or more of what they sum stayed lost.
    public var unsolved: Int64 = 0
    /// Too late, too early, twice, longer or wider than what is kept; of a flow whose sums do not come out; or what they
    /// made was no packet of the media.
    public var unusable: Int64 = 0
    /// Packets of the media that some parity packet covered, and that stayed lost; each once, when it went by. Those before
    /// the first packet that came do not count.
    public var unrecoveredPackets: Int64 = 0
    /// The sender began anew: another SSRC, or sequence numbers far away.
    public var restarts: Int64 = 0

    public init() {}
}
