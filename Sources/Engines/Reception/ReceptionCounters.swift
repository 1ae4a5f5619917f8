// SPDX-License-Identifier: Apache-2.0
import Timelines

/// What one tuned channel's network side has counted since it was joined. Totals; each fault once per datagram or packet.
public struct ReceptionCounters: Sendable, Hashable {
    public var datagrams: Int64 = 0
    public var octets: Int64 = 0
    /// Longer than a slot of the receive batch.
    public var truncatedDatagrams: Int64 = 0
    /// No RTP header, or no transport stream behind it.
    public var malformedDatagrams: Int64 = 0
    public var wrongPayloadType: Int64 = 0
    /// Datagrams of a second sender on the group while the first one still sends.
    public var foreignSSRC: Int64 = 0
    /// The sender stayed away and another took over.
    public var ssrcChanges: Int64 = 0
    /// After repair: nothing brought them.
    public var lostPackets: Int64 = 0
    /// Did not come by themselves by the first path. Decided 256 packets later where a flow is protected; `lostPackets`
    /// where it is not.
    public var lostBeforeRepair: Int64 = 0
    /// Made again in time by windows or parity.
    public var recoveredPackets: Int64 = 0
    /// Of those, which came themselves afterwards. So of one path: lost before repair = lost + recovered - needless.
    public var needlessRecoveries: Int64 = 0
    /// Where a flow comes by two paths, each path's own; lost by both, and not repaired either, is `lostPackets`.
    public var lostByFirstPath: Int64 = 0
    public var lostBySecondPath: Int64 = 0
    /// Counted in `datagrams` too.
    public var repairDatagrams: Int64 = 0
    /// Of protection windows, each once when it is done with; `protection_windows`, `window_no_loss`,
    /// `window_recovery_successes`, `window_recovery_failures`, `window_error`, `window_warning` (SVM-113, 121…126).
    public var protectionWindows: Int64 = 0
    public var windowsWithoutLoss: Int64 = 0
    public var windowsRepaired: Int64 = 0
    public var windowsFailed: Int64 = 0
    public var windowsRefused: Int64 = 0
    public var windowsOversized: Int64 = 0
    /// Could not be read.
    public var malformedRepair: Int64 = 0
    /// Of ST 2022-1.
    public var parityColumns: Int64 = 0
    public var parityRows: Int64 = 0
    public var duplicatePackets: Int64 = 0
    /// Came out of order and was put back.
    public var reorderedPackets: Int64 = 0
    /// Came after its place had been given up; counted in `lostPackets` too.
    public var latePackets: Int64 = 0
    /// Sequence numbers began anew.
    public var sequenceRestarts: Int64 = 0
    /// Groups left and joined again because nothing came.
    public var rejoins: Int64 = 0
    /// How often the link was lost, or went and came back before we looked.
    public var linkFlaps: Int64 = 0
    /// Another of the channel's sources is heard than before.
    public var sourceChanges: Int64 = 0
    /// Dropped by the kernel because we were too slow.
    public var kernelDrops: Int64 = 0
    /// Packets of an elementary stream in a form that we do not read: interleaved.
    public var unsupportedPackets: Int64 = 0
    /// Access units of elementary streams: kept though parts are missing, dropped for it.
    public var damagedUnits: Int64 = 0
    public var droppedUnits: Int64 = 0
    /// Of RTCP, which put sound and pictures in step; and those that contradict the arrivals and are not believed.
    public var senderReports: Int64 = 0
    public var doubtfulSenderReports: Int64 = 0
    public var tsPackets: Int64 = 0
    /// `num_ts_discontinuities` (SVM-112): continuity errors that the stream did not announce.
    public var tsDiscontinuities: Int64 = 0
    public var tsDuplicates: Int64 = 0
    public var tsSignalledDiscontinuities: Int64 = 0
    public var tsTransportErrors: Int64 = 0
    /// Octets between packets that are no packet.
    public var tsSkippedOctets: Int64 = 0
    public var randomAccessPoints: Int64 = 0
    /// What the stream's clock follows (values, not totals): 0 nothing yet, 1 decoding times, 2 PCR.
    public var clockSource: Int64 = 0
    /// 1 while the clock is within 2 ms of what the stream says.
    public var clockLocked: Int64 = 0
    /// By how much the sender's clock is faster than ours, parts per billion.
    public var clockDriftPPB: Int64 = 0
    /// By how much stamps of the last second came late, microseconds.
    public var clockJitterUs: Int64 = 0
    public var clockPeakJitterUs: Int64 = 0
    /// How long before their decoding times units are complete, microseconds: the sender's own delay.
    public var clockSlackUs: Int64 = 0
    /// The stream went over to another time line.
    public var clockJumps: Int64 = 0
    /// Nothing came for more than 700 ms, then the stamps went on where they had been.
    public var clockStalls: Int64 = 0
    public var pcrCount: Int64 = 0
    /// Fitted neither the clock nor each other, and were not used.
    public var pcrDoubtful: Int64 = 0

    public init() {}

    mutating func count(_ clock: ClockStatistics) {
        clockSource = Int64(clock.source.rawValue)
        clockLocked = clock.isLocked ? 1 : 0
        clockDriftPPB = clock.drift
        clockJitterUs = clock.jitterMean.microseconds
        clockPeakJitterUs = clock.jitterPeak.microseconds
        clockSlackUs = clock.slack.microseconds
        clockJumps = clock.jumps
        clockStalls = clock.stalls
        pcrCount = clock.references
        pcrDoubtful = clock.doubtfulReferences
    }
}
