// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// What a receive thread feeds with datagrams. `medium` is the index of the medium to whose port a datagram came; for a
/// transport stream it is the raw value of a `FlowPart`.
protocol DatagramSink: AnyObject {
    var counters: ReceptionCounters { get }
    var quality: StreamQuality { get }

    func follow(program: ProgramChoice?)
    func datagramReceived(_ bytes: UnsafeRawBufferPointer, of medium: Int, at arrival: Monotonic)
    func controlReceived(_ bytes: UnsafeRawBufferPointer, of medium: Int)
    func truncatedDatagramReceived(of medium: Int)
    func kernelDropsReported(total: UInt32, of medium: Int)
    func tick(at now: Monotonic)

    /// Parity that was found and is not used yet; nil where none is looked for.
    var found: RepairParity? { get }
    /// Whether nothing of use comes to a port at which parity is looked for.
    func isForeign(_ medium: Int) -> Bool
    func reinforce(by reinforcement: FlowReinforcement)
}

extension DatagramSink {
    var found: RepairParity? { nil }
    func isForeign(_ medium: Int) -> Bool { false }
    func reinforce(by reinforcement: FlowReinforcement) {}
}

extension ElementaryReceiver: DatagramSink {
    func follow(program: ProgramChoice?) {}
}

extension FlowReceiver: DatagramSink {
    func datagramReceived(_ bytes: UnsafeRawBufferPointer, of medium: Int, at arrival: Monotonic) {
        datagramReceived(bytes, of: FlowPart(rawValue: medium) ?? .media, at: arrival)
    }

    func controlReceived(_ bytes: UnsafeRawBufferPointer, of medium: Int) {}

    func truncatedDatagramReceived(of medium: Int) {
        truncatedDatagramReceived(of: FlowPart(rawValue: medium) ?? .media)
    }

    func isForeign(_ medium: Int) -> Bool { isForeign(FlowPart(rawValue: medium) ?? .media) }

    func kernelDropsReported(total: UInt32, of medium: Int) {
        kernelDropsReported(total: total, of: FlowPart(rawValue: medium) ?? .media)
    }
}
