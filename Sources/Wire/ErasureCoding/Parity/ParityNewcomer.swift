// SPDX-License-Identifier: Apache-2.0
import Time

/// The last packet that did not fit the flow. Only a second one in sequence proves that the sender has restarted (RFC
/// 3550 A.1). It owns its memory.
struct ParityNewcomer: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private var count = 0
    private var source: UInt32 = 0
    private(set) var sequence: UInt16 = 0
    private(set) var arrival = Monotonic(nanoseconds: 0)

    init(packetOctets: Int) { memory = .allocate(byteCount: packetOctets, alignment: 8) }

    deinit { memory.deallocate() }

    /// The packet; valid until the next one is stored.
    var packet: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    func isFollowed(by media: ParityMedia) -> Bool {
        count > 0 && media.ssrc == source && media.sequence == sequence &+ 1
    }

    /// Stores a packet.
    /// - Parameter packet: at most `packetOctets`.
    mutating func come(_ media: ParityMedia, _ packet: UnsafeRawBufferPointer, at arrival: Monotonic) {
        UnsafeMutableRawBufferPointer(start: memory, count: packet.count).copyMemory(from: packet)
        count = packet.count
        source = media.ssrc
        sequence = media.sequence
        self.arrival = arrival
    }

    mutating func leave() { count = 0 }
}
