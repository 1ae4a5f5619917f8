// SPDX-License-Identifier: Apache-2.0
import Media
import Time
import Venue

/// A flow whose input is taken down before it is received, and whose counters are taken down once a second after a tick.
/// Owned by the receive thread; allocates only when the program changes.
final class RecordedFlow: DatagramSink {
    private let flow: FlowReceiver
    private let tap: any InputTap
    private var drops = [UInt32](repeating: 0, count: FlowPart.allCases.count)
    private var counted = Monotonic(nanoseconds: .min)
    private var program: ProgramChoice?
    private var isReinforced = false

    /// Time from one record of the counters to the next.
    private static let rhythm = Nanoseconds.seconds(1)

    init(_ flow: FlowReceiver, _ tap: any InputTap) {
        (self.flow, self.tap, program) = (flow, tap, flow.program)
        flow.tell(tap)
    }

    var counters: ReceptionCounters { flow.counters }
    var quality: StreamQuality { flow.quality }
    var found: RepairParity? { flow.found }

    func follow(program: ProgramChoice?) {
        guard program != self.program else { return }
        self.program = program
        Array(program.recordedText.utf8).withUnsafeBytes { tap.take(.program, $0, part: 0, at: counted) }
        flow.follow(program: program)
    }

    func datagramReceived(_ bytes: UnsafeRawBufferPointer, of medium: Int, at arrival: Monotonic) {
        tap.take(.datagram, bytes, part: medium, at: arrival)
        flow.datagramReceived(bytes, of: medium, at: arrival)
    }

    func controlReceived(_ bytes: UnsafeRawBufferPointer, of medium: Int) {}

    func truncatedDatagramReceived(of medium: Int) {
        tap.take(.truncated, Self.nothing, part: medium, at: counted)
        flow.truncatedDatagramReceived(of: medium)
    }

    func kernelDropsReported(total: UInt32, of medium: Int) {
        // The same total again changes nothing.
        if drops.indices.contains(medium), drops[medium] != total {
            drops[medium] = total
            withUnsafeBytes(of: total.bigEndian) { tap.take(.kernelDrops, $0, part: medium, at: counted) }
        }
        flow.kernelDropsReported(total: total, of: medium)
    }

    func tick(at now: Monotonic) {
        tap.take(.tick, Self.nothing, part: 0, at: now)
        flow.tick(at: now)
        guard counted.nanoseconds == .min || now - counted >= Self.rhythm else { return }
        counted = now
        withUnsafeBytes(of: flow.counters) { tap.take(.counters, $0, part: 0, at: now) }
    }

    func isForeign(_ medium: Int) -> Bool { flow.isForeign(medium) }

    func reinforce(by reinforcement: FlowReinforcement) {
        if !isReinforced {
            isReinforced = true
            tap.take(.reinforced, Self.nothing, part: 0, at: counted)
        }
        flow.reinforce(by: reinforcement)
    }

    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
