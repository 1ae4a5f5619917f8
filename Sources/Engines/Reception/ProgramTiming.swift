// SPDX-License-Identifier: Apache-2.0
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
    private var unitStart = PESStart()
    /// Octets of the unit with its header, and those that it has announced; nil if it has announced none.
    private var unitOctets = (come: 0, announced: Int?.none)
    /// How long other packets have come since the last one of the unit, and when that was for long enough.
    private var stillFor = Nanoseconds.zero
    private var still: (packet: Int64, arrival: Monotonic)?
    private var lastArrival = Monotonic(nanoseconds: 0)
    private var soundPID = PID.null
    private var soundStart = PESStart()
    /// Octets of the audio unit that is being received, with its header.
    private var soundOctets = 0
    /// Presentation time of that unit, and the octets that it has announced; nil octets if it has announced none.
    private var sound: (pts: UInt64, octets: Int?)?
    /// Whether the announced end of the last audio unit has come, and whether one has gone on behind it: what such a
    /// sender announces says nothing.
    private var soundHasEnded = false
    private var soundGoesOn = false

    /// Takes the packets of all PIDs in stream order, each once.
    /// - Parameters:
    ///   - bytes: the buffer from which the packet was parsed.
    ///   - program: called only where a unit or a table of another PID begins.
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
        if packet.pid == unitPID, packet.pid != PID.null {
            unitReceived(packet, in: bytes, at: arrival)
        } else if packet.startsUnit, let program = program() {
            follow(program)
        }
    }

    /// Packets are missing before the next one.
    mutating func packetsLost() {
        decodingTime = nil
        (sound, soundHasEnded) = (nil, false)
        unitStart.interrupt()
        soundStart.interrupt()
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
            if stillFor >= unitPatience { still = (packets, arrival) }
        }
        lastArrival = arrival
    }

    private var unitPatience: Nanoseconds {
        let hasEnded = unitOctets.announced.map { unitOctets.come >= $0 } ?? false
        return hasEnded ? TSDemultiplexer.stillnessBehindEnd : TSDemultiplexer.stillness
    }

    private mutating func unitReceived(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer, at arrival: Monotonic) {
        if packet.startsUnit {
            if let complete = decodingTime {
                let end = still ?? (packets, arrival)
                clock.unitCompleted(dts: complete, packet: end.packet, at: end.arrival)
            }
            (decodingTime, still, unitOctets) = (nil, nil, (0, nil))
        }
        unitOctets.come += packet.hasPayload ? packet.payload.count : 0
        // Without a readable header there is no time. The demultiplexer counts the fault.
        if let header = unitStart.header(with: packet, in: bytes) {
            decodingTime = header.dts ?? header.pts
            unitOctets.announced = header.packetLength.map { PESHeader.lengthFieldEnd + $0 }
        }
    }

    private mutating func soundReceived(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer, at arrival: Monotonic) {
        if packet.startsUnit {
            if let before = sound, !soundHasEnded || soundGoesOn {
                clock.soundCompleted(pts: before.pts, packet: packets, at: arrival)
            }
            (sound, soundHasEnded, soundOctets) = (nil, false, 0)
        } else if soundHasEnded, !soundGoesOn {
            soundGoesOn = true
            clock.soundGoesOn()
        }
        soundOctets += packet.payload.count
        if let header = soundStart.header(with: packet, in: bytes) {
            let announced = soundGoesOn ? nil : header.packetLength.map { PESHeader.lengthFieldEnd + $0 }
            sound = header.pts.map { ($0, announced) }
        }
        guard !soundHasEnded, let unit = sound, let octets = unit.octets, soundOctets >= octets else { return }
        soundHasEnded = true
        clock.soundCompleted(pts: unit.pts, packet: packets, at: arrival)
    }
}
