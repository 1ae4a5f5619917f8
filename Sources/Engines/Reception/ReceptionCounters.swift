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
    /// Packets of which nothing came in time. Their sum, a batch later, is that of the next two.
    public var lostPackets: Int64 = 0
    /// Dropped by our own kernel, so far as can be told.
    public var lostToKernel: Int64 = 0
    public var lostToNetwork: Int64 = 0
    public var duplicatePackets: Int64 = 0
    /// Came out of order and was put back.
    public var reorderedPackets: Int64 = 0
    /// Came after its place had been given up; counted in `lostPackets` too.
    public var latePackets: Int64 = 0
    /// Sequence numbers began anew.
    public var sequenceRestarts: Int64 = 0
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
