// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time
import Timelines
import TransportStream

/// What a program's packets tell its clock: references, and decoding times of the units of its video, or of its audio
/// when it has no video. A unit is complete where the next one begins; one of the sound beside a video with the last of
/// the octets that its header announces.
struct ProgramTiming {
    private(set) var clock = StreamClock()
    private var packets: Int64 = 0
    private var clockPID = PID.null
    private var unitPID = PID.null
    /// Of the unit that is being received; nil when it has none, or when packets of it are missing.
    private var decodingTime: UInt64?
    private var soundPID = PID.null
    /// Of the sound that is being received, and the octets that are still to come.
    private var sound: (pts: UInt64, octets: Int)?

    /// Takes the packets of all PIDs in stream order, each once.
    /// - Parameters:
    ///   - bytes: those that the packet was read from.
    ///   - program: asked for where a unit or a table of another PID begins: not for every packet.
    mutating func packetReceived(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, at arrival: Monotonic, of program: () -> Program?
    ) {
        packets += 1
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

    /// Packets are missing in front of the next one.
    mutating func packetsLost() {
        decodingTime = nil
        sound = nil
        clock.packetsLost()
    }

    private mutating func follow(_ program: Program) {
        clockPID = program.pcrPID ?? PID.null
        let other = program.video == nil ? nil : program.audio?.pid
        if soundPID != other ?? PID.null {
            soundPID = other ?? PID.null
            sound = nil
        }
        let pid = (program.video ?? program.audio)?.pid ?? PID.null
        guard pid != unitPID else { return }
        unitPID = pid
        decodingTime = nil
    }

    private mutating func unitStarted(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer, at arrival: Monotonic) {
        if let complete = decodingTime { clock.unitCompleted(dts: complete, packet: packets, at: arrival) }
        decodingTime = nil
        guard !packet.isScrambled, packet.hasPayload else { return }
        do throws(WireError) {
            let header = try PESHeader(bytes, in: packet.payload)
            decodingTime = header.dts ?? header.pts
        } catch {
            // No header, no time; the demultiplexer counts it.
        }
    }

    private mutating func soundReceived(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer, at arrival: Monotonic) {
        if packet.startsUnit {
            // No header, no time; the demultiplexer counts it.
            let header = packet.isScrambled ? nil : try? PESHeader(bytes, in: packet.payload)
            sound = header?.pts.flatMap { pts in
                header?.packetLength.map { (pts, PESHeader.lengthFieldEnd + $0) }
            }
        }
        guard var unit = sound else { return }
        unit.octets -= packet.payload.count
        sound = unit
        guard unit.octets <= 0 else { return }
        sound = nil
        clock.soundCompleted(pts: unit.pts, packet: packets, at: arrival)
    }
}
