// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import RTP

extension ReceptionCounters {
    /// These counts of a channel that was received before a session took it up: those that the reference counts for each
    /// session begin with it (SVM-101…126).
    /// - Parameter before: the counts when the session was opened.
    public func since(_ before: ReceptionCounters) -> ReceptionCounters {
        var result = self
        let counts: [WritableKeyPath<ReceptionCounters, Int64>] = [
            \.tsDiscontinuities, \.protectionWindows, \.windowsWithoutLoss, \.windowsRepaired, \.windowsFailed,
            \.windowsRefused, \.windowsOversized,
        ]
        for count in counts { result[keyPath: count] -= before[keyPath: count] }
        return result
    }

    /// Adds counts of datagrams, their order and their repair. Counts of the stream are left out: there is one per
    /// channel.
    mutating func add(_ other: ReceptionCounters) {
        datagrams += other.datagrams
        octets += other.octets
        truncatedDatagrams += other.truncatedDatagrams
        malformedDatagrams += other.malformedDatagrams
        cutDatagrams += other.cutDatagrams
        wrongPayloadType += other.wrongPayloadType
        payloadType = max(payloadType, other.payloadType)
        foreignSSRC += other.foreignSSRC
        ssrcChanges += other.ssrcChanges
        lostPackets += other.lostPackets
        lostToKernel += other.lostToKernel
        lostToNetwork += other.lostToNetwork
        duplicatePackets += other.duplicatePackets
        reorderedPackets += other.reorderedPackets
        latePackets += other.latePackets
        sequenceRestarts += other.sequenceRestarts
        kernelDrops += other.kernelDrops
        lostBeforeRepair += other.lostBeforeRepair
        recoveredPackets += other.recoveredPackets
        needlessRecoveries += other.needlessRecoveries
        lostByFirstPath += other.lostByFirstPath
        lostBySecondPath += other.lostBySecondPath
        repairDatagrams += other.repairDatagrams
        repairOrigin = max(repairOrigin, other.repairOrigin)
        foreignRepair += other.foreignRepair
        protectionWindows += other.protectionWindows
        windowsWithoutLoss += other.windowsWithoutLoss
        windowsRepaired += other.windowsRepaired
        windowsFailed += other.windowsFailed
        windowsRefused += other.windowsRefused
        windowsOversized += other.windowsOversized
        parityColumns += other.parityColumns
        parityRows += other.parityRows
        malformedRepair += other.malformedRepair
    }

    mutating func count(_ windows: WindowCounters) {
        protectionWindows = windows.windows
        windowsWithoutLoss = windows.withoutLoss
        windowsRepaired = windows.repaired
        windowsFailed = windows.failed
        windowsRefused = windows.refused
        windowsOversized = windows.oversized
    }

    mutating func count(_ parity: ParityCounters) {
        parityColumns = parity.columnPackets
        parityRows = parity.rowPackets
        malformedRepair = parity.malformed
    }

    /// Adds counts of depacketizing. Lost packets are left out: `RTPFlow` counts them.
    mutating func count(_ units: DepacketizerCounters) {
        malformedDatagrams += Int64(clamping: units.malformedPackets)
        unsupportedPackets += Int64(clamping: units.unsupportedPackets)
        damagedUnits += Int64(clamping: units.damagedUnits)
        droppedUnits += Int64(clamping: units.droppedUnits &+ units.oversizedUnits)
    }
}
