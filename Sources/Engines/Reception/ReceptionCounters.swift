// SPDX-License-Identifier: Apache-2.0
import Timelines

/// Counters of the reception of one tuned channel since it was joined. They are totals; each fault counts once per
/// datagram or packet.
public struct ReceptionCounters: Sendable, Hashable {
    public var datagrams: Int64 = 0
    public var octets: Int64 = 0
    /// Datagrams longer than a slot of the receive batch.
    public var truncatedDatagrams: Int64 = 0
    /// Datagrams without an RTP header, or without a transport stream in it.
    public var malformedDatagrams: Int64 = 0
    /// Datagrams of which an end cuts a packet. The packets are joined.
    public var cutDatagrams: Int64 = 0
    public var wrongPayloadType: Int64 = 0
    /// RTP payload type of the accepted packets, a value; -1 before the first one, and without RTP.
    public var payloadType: Int64 = -1
    public var foreignSSRC: Int64 = 0
    /// Changes to another sender after the first one fell silent.
    public var ssrcChanges: Int64 = 0
    /// Packets that did not come and were not repaired.
    public var lostPackets: Int64 = 0
    /// The two parts of `lostPackets`, decided a batch later: what this box's kernel dropped, as far as can be told,
    /// and the rest.
    public var lostToKernel: Int64 = 0
    public var lostToNetwork: Int64 = 0
    /// Packets that did not come by the first path. Decided 256 packets later where a flow is protected; equal to
    /// `lostPackets` where it is not.
    public var lostBeforeRepair: Int64 = 0
    /// Packets recovered in time by windows or parity.
    public var recoveredPackets: Int64 = 0
    /// Recovered packets that came afterwards after all. On a single path: lost before repair = lost + recovered -
    /// needless.
    public var needlessRecoveries: Int64 = 0
    /// Losses of each path, where a flow comes by two. What both lost and no repair recovered is in `lostPackets`.
    public var lostByFirstPath: Int64 = 0
    public var lostBySecondPath: Int64 = 0
    /// Datagrams of repair flows; counted in `datagrams` too.
    public var repairDatagrams: Int64 = 0
    /// Whence the repair is known, a value: 0 there is none, 1 it was announced or is in the settings, 2 it was found.
    public var repairOrigin: Int64 = 0
    /// Datagrams at the ports where parity is looked for that are none of this channel. In no other count.
    public var foreignRepair: Int64 = 0
    /// Protection windows, each counted once when it is finished. Reported as `protection_windows`, `window_no_loss`,
    /// `window_recovery_successes`, `window_recovery_failures`, `window_error`, `window_warning` (SVM-113, 121…126).
    public var protectionWindows: Int64 = 0
    public var windowsWithoutLoss: Int64 = 0
    public var windowsRepaired: Int64 = 0
    public var windowsFailed: Int64 = 0
    public var windowsRefused: Int64 = 0
    public var windowsOversized: Int64 = 0
    /// Repair packets that could not be parsed.
    public var malformedRepair: Int64 = 0
    /// Column and row packets of ST 2022-1.
    public var parityColumns: Int64 = 0
    public var parityRows: Int64 = 0
    public var duplicatePackets: Int64 = 0
    /// Packets that came out of order and were put back.
    public var reorderedPackets: Int64 = 0
    /// Packets that came after they had been given up; counted in `lostPackets` too.
    public var latePackets: Int64 = 0
    /// Restarts of the sequence numbers.
    public var sequenceRestarts: Int64 = 0
    /// Groups left and joined again because nothing arrived.
    public var rejoins: Int64 = 0
    /// How often a link was lost, or went and came back between two reviews.
    public var linkFlaps: Int64 = 0
    /// Changes to another of the channel's sources.
    public var sourceChanges: Int64 = 0
    /// Datagrams that the kernel dropped because its socket buffer was full.
    public var kernelDrops: Int64 = 0
    /// Packets of an elementary stream in a form that is not supported: interleaved.
    public var unsupportedPackets: Int64 = 0
    /// Access units of elementary streams: those that were kept although parts are missing, and those that were dropped
    /// because parts are missing or they are too large.
    public var damagedUnits: Int64 = 0
    public var droppedUnits: Int64 = 0
    /// RTCP sender reports that aligned sound and pictures, and those that contradict the arrivals and were not used.
    public var senderReports: Int64 = 0
    public var doubtfulSenderReports: Int64 = 0
    public var tsPackets: Int64 = 0
    public var tsDiscontinuities: Int64 = 0
    /// The packets that are missing there, at least: the continuity counter shows no more than fifteen at a time.
    public var tsMissing: Int64 = 0
    public var tsDuplicates: Int64 = 0
    public var tsSignalledDiscontinuities: Int64 = 0
    public var tsTransportErrors: Int64 = 0
    /// Octets between TS packets that belong to no packet.
    public var tsSkippedOctets: Int64 = 0
    public var randomAccessPoints: Int64 = 0
    /// What the stream's clock follows, a value: 0 nothing yet, 1 decoding times, 2 PCR.
    public var clockSource: Int64 = 0
    public var clockLocked: Int64 = 0
    /// How much faster the sender's clock is than ours, parts per billion.
    public var clockDriftPPB: Int64 = 0
    /// Mean and greatest lateness of the time stamps of the last second, microseconds.
    public var clockJitterUs: Int64 = 0
    public var clockPeakJitterUs: Int64 = 0
    public var clockSlackUs: Int64 = 0
    /// How often the stream changed to another timeline.
    public var clockJumps: Int64 = 0
    /// How often nothing came for more than 700 ms and the time stamps then went on where they had been.
    public var clockStalls: Int64 = 0
    /// How often pictures or sound came later than all before, so that everything is presented later by as much.
    public var clockHolds: Int64 = 0
    public var pcrCount: Int64 = 0
    /// PCRs that fitted neither the clock nor each other and were not used.
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
        clockHolds = clock.holds
        pcrCount = clock.references
        pcrDoubtful = clock.doubtfulReferences
    }
}
