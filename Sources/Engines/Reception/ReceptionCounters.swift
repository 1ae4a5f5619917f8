// SPDX-License-Identifier: Apache-2.0
import Timelines

/// What one tuned channel's network side has counted since it was joined. Totals; each fault once per datagram or packet.
public struct ReceptionCounters: Sendable, Hashable {
    public var datagrams: Int64 = 0
    public var octets: Int64 = 0
    public var truncatedDatagrams: Int64 = 0
    public var malformedDatagrams: Int64 = 0
    public var wrongPayloadType: Int64 = 0
    public var foreignSSRC: Int64 = 0
    public var ssrcChanges: Int64 = 0
    public var lostPackets: Int64 = 0
    public var lostToKernel: Int64 = 0
    public var lostToNetwork: Int64 = 0
    public var lostBeforeRepair: Int64 = 0
    public var recoveredPackets: Int64 = 0
    public var needlessRecoveries: Int64 = 0
    public var lostByFirstPath: Int64 = 0
    public var lostBySecondPath: Int64 = 0
    public var repairDatagrams: Int64 = 0
    public var protectionWindows: Int64 = 0
    public var windowsWithoutLoss: Int64 = 0
    public var windowsRepaired: Int64 = 0
    public var windowsFailed: Int64 = 0
    public var windowsRefused: Int64 = 0
    public var windowsOversized: Int64 = 0
    public var malformedRepair: Int64 = 0
    public var parityColumns: Int64 = 0
    public var parityRows: Int64 = 0
    public var duplicatePackets: Int64 = 0
    public var reorderedPackets: Int64 = 0
    public var latePackets: Int64 = 0
    public var sequenceRestarts: Int64 = 0
    public var rejoins: Int64 = 0
    public var linkFlaps: Int64 = 0
    public var sourceChanges: Int64 = 0
    public var kernelDrops: Int64 = 0
    public var unsupportedPackets: Int64 = 0
    public var damagedUnits: Int64 = 0
    public var droppedUnits: Int64 = 0
    public var senderReports: Int64 = 0
    public var doubtfulSenderReports: Int64 = 0
    public var tsPackets: Int64 = 0
    public var tsDiscontinuities: Int64 = 0
    public var tsDuplicates: Int64 = 0
    public var tsSignalledDiscontinuities: Int64 = 0
    public var tsTransportErrors: Int64 = 0
    public var tsSkippedOctets: Int64 = 0
    public var randomAccessPoints: Int64 = 0
    public var clockSource: Int64 = 0
    public var clockLocked: Int64 = 0
    public var clockDriftPPB: Int64 = 0
    public var clockJitterUs: Int64 = 0
    public var clockPeakJitterUs: Int64 = 0
    public var clockSlackUs: Int64 = 0
    public var clockJumps: Int64 = 0
    public var clockStalls: Int64 = 0
    public var pcrCount: Int64 = 0
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
