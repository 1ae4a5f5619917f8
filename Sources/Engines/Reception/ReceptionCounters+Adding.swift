// SPDX-License-Identifier: Apache-2.0
import RTP

extension ReceptionCounters {
    /// What was counted of datagrams and their order; of the stream there is one, which counts for itself.
    mutating func add(_ other: ReceptionCounters) {
        datagrams += other.datagrams
        octets += other.octets
        truncatedDatagrams += other.truncatedDatagrams
        malformedDatagrams += other.malformedDatagrams
        wrongPayloadType += other.wrongPayloadType
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
    }

    /// Packets of an elementary stream; those that were lost are counted where they were missed first.
    mutating func count(_ units: DepacketizerCounters) {
        malformedDatagrams += Int64(clamping: units.malformedPackets)
        unsupportedPackets += Int64(clamping: units.unsupportedPackets)
        damagedUnits += Int64(clamping: units.damagedUnits)
        droppedUnits += Int64(clamping: units.droppedUnits &+ units.oversizedUnits)
    }
}
