// SPDX-License-Identifier: Apache-2.0

/// The continuity of every PID; its 64 KiB are allocated once.
@frozen
public struct ContinuityTable: Sendable {
    @usableFromInline var entries = [Continuity](repeating: Continuity(), count: PID.count)

    @inlinable public init() {}

    /// Packets with hasTransportError do not belong here: their PID may be wrong.
    @inlinable
    public mutating func check(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Continuity.Verdict {
        entries[Int(packet.pid)].check(packet, in: bytes)
    }

    /// Forgets every PID: a new source begins.
    public mutating func reset() {
        for pid in entries.indices { entries[pid] = Continuity() }
    }
}
