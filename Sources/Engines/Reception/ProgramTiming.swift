// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time
import Timelines
import TransportStream

/// Feeds a program's stream clock with its PCRs and with the decoding times of its video units, or of its audio units
/// if it has no video. Such a unit is complete where the next one begins, or when nothing has come behind it while other
/// packets have for `TSDemultiplexer.stillness`. An audio unit beside video is complete with the last octet that its PES
/// header announces; if it announces none, or not what comes, likewise where the next one begins.
struct ProgramTiming {
    private(set) var clock = StreamClock()
    private var packets: Int64 = 0
    private var clockPID = PID.null
    private var unitPID = PID.null
    /// Decoding time of the unit that is being received; nil when it has none or when packets of it are missing.
    private var decodingTime: UInt64?
    /// How long other packets have come since the last one of the unit, and when that was for long enough.
    private var stillFor = Nanoseconds.zero
    private var still: (packet: Int64, arrival: Monotonic)?
    private var lastArrival = Monotonic(nanoseconds: 0)
    private var soundPID = PID.null
    /// Presentation time of the audio unit that is being received, and the octets of it that are still to come; nil
    /// octets if it has announced none.
    private var sound: (pts: UInt64, octets: Int?)?
    /// Whether the announced end of the last audio unit has come, and whether one has gone on behind it: what such a
    /// sender announces says nothing.
    private var soundHasEnded = false
    private var soundGoesOn = false

    /// Takes the packets of all PIDs in stream order, each once.
    /// - Parameters:
    ///   - bytes: the buffer from which the packet was parsed.
    ///   - program: called only where a unit or a table of another PID begins, not for every packet.
    mutating func packetReceived(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, at arrival: Monotonic, of program: () -> Program?
    ) {
        packets += 1
        noteStillness(packet, at: arrival)
        if packet.pid == clockPID, packet.pid != PID.null, let pcr = packet.pcr {
            clock.referenceReceived(
                pcr: pcr, isDiscontinuity: packet.isDiscontinuity, packet: packets, at: arrival)
        }
        if packet.pid == soundPID, packet.pid != PID.null, packet.hasPayload {
            return soundReceived(packet, in: bytes, at: arrival)
        }
        guard packet.startsUnit else { return }
        if packet.pid == unitPID, packet.pid != PID.null {
            unitStarted(packet, in: bytes, at: arrival)
        } else if let program = program() {
            follow(program)
        }
    }

    /// Packets are missing before the next one.
    mutating func packetsLost() {
        decodingTime = nil
        (sound, soundHasEnded) = (nil, false)
        clock.packetsLost()
    }

    private mutating func follow(_ program: Program) {
        clockPID = program.pcrPID ?? PID.null
        let other = program.video == nil ? nil : program.audio?.pid
        if soundPID != other ?? PID.null {
            soundPID = other ?? PID.null
            (sound, soundHasEnded, soundGoesOn) = (nil, false, false)
        }
        let pid = (program.video ?? program.audio)?.pid ?? PID.null
        guard pid != unitPID else { return }
        unitPID = pid
        (decodingTime, still) = (nil, nil)
    }

    /// In an interruption of everything nothing has come of other streams.
    private mutating func noteStillness(_ packet: TSPacket, at arrival: Monotonic) {
        if packet.pid == unitPID, packet.hasPayload {
            stillFor = .zero
            if !packet.startsUnit { still = nil }
        } else if still == nil, arrival > lastArrival {
            stillFor = stillFor + min(arrival - lastArrival, TSDemultiplexer.stillness / 10)
            if stillFor >= TSDemultiplexer.stillness { still = (packets, arrival) }
        }
        lastArrival = arrival
    }

    private mutating func unitStarted(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer, at arrival: Monotonic) {
        if let complete = decodingTime {
            let end = still ?? (packets, arrival)
            clock.unitCompleted(dts: complete, packet: end.packet, at: end.arrival)
        }
        (decodingTime, still) = (nil, nil)
        guard !packet.isScrambled, packet.hasPayload else { return }
        do throws(WireError) {
            let header = try PESHeader(bytes, in: packet.payload)
            decodingTime = header.dts ?? header.pts
        } catch {
            // Without a readable header there is no time. The demultiplexer counts the fault.
        }
    }

    private mutating func soundReceived(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer, at arrival: Monotonic) {
        if packet.startsUnit {
            if let before = sound { clock.soundCompleted(pts: before.pts, packet: packets, at: arrival) }
            // Without a readable header there is no time. The demultiplexer counts the fault.
            let header = packet.isScrambled ? nil : try? PESHeader(bytes, in: packet.payload)
            let announced = soundGoesOn ? nil : header?.packetLength.map { PESHeader.lengthFieldEnd + $0 }
            (sound, soundHasEnded) = (header?.pts.map { ($0, announced) }, false)
        } else if soundHasEnded {
            soundGoesOn = true
        }
        guard let unit = sound, let octets = unit.octets else { return }
        let left = octets - packet.payload.count
        sound = left > 0 ? (unit.pts, left) : nil
        guard left <= 0 else { return }
        soundHasEnded = true
        clock.soundCompleted(pts: unit.pts, packet: packets, at: arrival)
    }
}
