// SPDX-License-Identifier: Apache-2.0
import Time
import TransportStream

/// What the tests look at of a transport stream.
struct Sink: AccessUnitSink {
    var video: [Int64] = []
    var audio: [Int64] = []
    var randomAccess = 0
    var worstClockError = Nanoseconds.zero
    var widestClockGap = Nanoseconds.zero
    /// From the newest clock reading to the decoding time of a unit, 90 kHz.
    var smallestLead = Int64.max
    private var clock: Int64?

    mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        guard let pts = unit.pts else { return }
        video.append(Int64(pts))
        if unit.isRandomAccess { randomAccess += 1 }
        if let clock { smallestLead = min(smallestLead, Int64(unit.dts ?? pts) - clock / 300) }
    }

    mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        guard let pts = unit.pts else { return }
        audio.append(Int64(pts))
        if let clock { smallestLead = min(smallestLead, Int64(pts) - clock / 300) }
    }

    mutating func programChanged(_ program: Program?) {}

    /// - Parameter due: when the datagram departs; the clock of the stream began with the run.
    mutating func readClocks(_ bytes: UnsafeRawBufferPointer, due: Nanoseconds) {
        for offset in stride(from: 0, to: bytes.count, by: TSPacket.size) {
            // What is no packet the demultiplexer counts.
            guard let packet = try? TSPacket(bytes, at: offset), let pcr = packet.pcr else { continue }
            let now = TickRate.programClock.nanoseconds(Int64(pcr))
            worstClockError = max(worstClockError, (now - due).magnitude)
            if let clock { widestClockGap = max(widestClockGap, now - TickRate.programClock.nanoseconds(clock)) }
            clock = Int64(pcr)
        }
    }
}
