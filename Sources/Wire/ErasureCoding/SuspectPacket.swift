// SPDX-License-Identifier: Apache-2.0
import Time

/// A packet that does not fit the flow, kept until its successor confirms it (as in RFC 3550 A.1).
final class SuspectPacket {
    var isThere = false
    private(set) var arrival = Monotonic(nanoseconds: 0)
    private var id = PayloadIdentifier(block: 0, symbol: 0, sourceCount: 0)
    private var ssrc: UInt32 = 0
    private var octets = 0
    private let memory: UnsafeMutableRawBufferPointer

    /// - Parameter octets: octets of the longest packet kept.
    init(octets: Int) { memory = .allocate(byteCount: octets, alignment: 16) }

    deinit { memory.deallocate() }

    func keep(_ packet: UnsafeRawBufferPointer, _ id: PayloadIdentifier, _ ssrc: UInt32, at arrival: Monotonic) {
        isThere = packet.count <= memory.count
        guard isThere else { return }
        memory.copyMemory(from: packet)
        octets = packet.count
        self.id = id
        self.ssrc = ssrc
        self.arrival = arrival
    }

    /// The packet kept, if this one is of the same flow and of a nearby window; else nil.
    func confirmed(
        by other: PayloadIdentifier, _ otherSSRC: UInt32, within windows: Int
    ) -> (packet: UnsafeRawBufferPointer, id: PayloadIdentifier)? {
        guard isThere, ssrc == otherSSRC, other != id else { return nil }
        let distance = BlockNumber.distance(from: id.block, to: other.block)
        guard abs(distance) < windows else { return nil }
        return (UnsafeRawBufferPointer(rebasing: memory[..<octets]), id)
    }
}
