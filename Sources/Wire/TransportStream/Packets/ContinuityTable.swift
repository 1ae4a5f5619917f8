// SPDX-License-Identifier: Apache-2.0

/// The continuity check of every PID. Its 64 KiB are allocated once.
@frozen
public struct ContinuityTable: Sendable {
    @usableFromInline var entries = [Continuity](repeating: Continuity(), count: PID.count)

    @inlinable public init() {}

    /// - Precondition: the packet has no transport error, because its PID could be wrong.
    @inlinable
    public mutating func check(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Continuity.Verdict {
        entries[Int(packet.pid)].check(packet, in: bytes)
    }

    /// The counter of the PID's last packet; nil before the first.
    @inlinable public func counter(of pid: UInt16) -> UInt8? { entries[Int(pid)].counter }

    /// Forgets the state of every PID, because a new source begins.
    public mutating func reset() {
        for pid in entries.indices { entries[pid] = Continuity() }
    }
}
