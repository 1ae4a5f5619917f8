// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

extension StreamMonitor {
    /// Takes a packet of a video, audio or PCR PID.
    @usableFromInline
    mutating func streamPacketReceived(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, at arrival: Monotonic, place: UInt8
    ) {
        let index = Int(place - Place.firstStream)
        came(Watched.firstStream + index, at: arrival)
        if packet.adaptation != nil, streams[index].carriesClock {
            if packet.isDiscontinuity { clockJumps() }
            if let pcr = packet.pcr { clockRead(pcr, at: arrival) }
        }
        guard packet.startsUnit, streams[index].hasTimes, !packet.isScrambled else { return }
        if StreamMonitor.showsTime(packet, in: bytes) { came(Watched.firstPTS + index, at: arrival) }
    }

    /// Whether a PES packet with a PTS begins here, by its flags. If the flags are in the next packet, the answer is
    /// yes.
    private static func showsTime(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        let start = packet.payload.lowerBound
        guard packet.payload.count >= 8 else { return packet.hasPayload }
        guard bytes[start] == 0, bytes[start + 1] == 0, bytes[start + 2] == 1 else { return false }
        return PESHeader.hasOptionalPart(bytes[start + 3]) && bytes[start + 7] & 0x80 != 0
    }

    // MARK: Clock

    /// discontinuity_indicator: the following PCRs are of a new time base.
    private mutating func clockJumps() {
        lastPCR?.isFollowed = false
        rate.interrupt()
    }

    private mutating func clockRead(_ pcr: UInt64, at arrival: Monotonic) {
        came(Watched.clock, at: arrival)
        if let last = lastPCR {
            if arrival - last.arrival > limits.pcrInterval { count(.pcrInterval) }
            let step = PCRInterval.span(PCRInterval.ticks(from: last.value, to: pcr))
            if last.isFollowed, step < .zero || step > limits.pcrDiscontinuity {
                count(.pcrDiscontinuity)
                rate.interrupt()
            }
        }
        lastPCR = (pcr, arrival, true)
        guard hasStuffing, let error = rate.clockRead(pcr, position: position) else { return }
        let isGood = error.magnitude <= limits.pcrAccuracy
        if !isGood { count(.pcrAccuracy) }
        worstPCR = max(worstPCR, error.magnitude)
        rate.judged(isGood: isGood, position: position)
    }

    // MARK: Program

    /// Watches the streams of the ledger's program. Watches of streams that it already had continue.
    mutating func follow(at arrival: Monotonic) {
        for stream in streams { places[Int(stream.pid)] = Place.none }
        if let old = places.firstIndex(of: Place.map) { places[old] = Place.none }
        if let pid = ledger.mapPID, claim(pid, Place.map) {
            expect(Watched.map, from: arrival)
        } else {
            watches[Watched.map].forget()
        }
        let (before, known) = (streams, watches)
        let wanted = ledger.program.map { WatchedStream.all(of: $0, limit: StreamMonitor.maximumStreams) } ?? []
        streams = []
        for stream in wanted where claim(stream.pid, Place.firstStream + UInt8(streams.count)) {
            streams.append(stream)
        }
        for index in 0..<StreamMonitor.maximumStreams {
            let (packets, times) = (Watched.firstStream + index, Watched.firstPTS + index)
            watches[packets].forget()
            watches[times].forget()
            guard index < streams.count else { continue }
            if let old = before.firstIndex(where: { $0.pid == streams[index].pid }) {
                watches[packets] = known[Watched.firstStream + old]
                watches[times] = known[Watched.firstPTS + old]
            }
            expect(packets, from: arrival)
            if streams[index].hasTimes { expect(times, from: arrival) } else { watches[times].forget() }
        }
        let clock = streams.first(where: \.carriesClock)?.pid
        guard clock != before.first(where: \.carriesClock)?.pid else { return }
        lastPCR = nil
        rate.interrupt()
        watches[Watched.clock].forget()
        if clock != nil { expect(Watched.clock, from: arrival) }
    }

    /// - Returns: whether the PID was free.
    private mutating func claim(_ pid: UInt16, _ place: UInt8) -> Bool {
        guard pid < PID.null, places[Int(pid)] == Place.none else { return false }
        places[Int(pid)] = place
        return true
    }
}
