// SPDX-License-Identifier: Apache-2.0

/// Reads the headers by which the PES packets of one PID begin, each of which may extend over several transport packets.
public struct PESStart: Sendable {
    private var head = PESHead()

    public init() {}

    /// Takes each packet of the PID.
    /// - Parameter bytes: the buffer from which the packet was parsed.
    /// - Returns: a header, with the packet that completes it; nil with all others, and if it cannot be read.
    public mutating func header(with packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> PESHeader? {
        guard packet.hasPayload else { return nil }
        if packet.startsUnit { head.begin() }
        guard head.isReading else { return nil }
        guard !packet.isScrambled else {
            head.interrupt()
            return nil
        }
        _ = head.read(packet.payload.clamped(to: 0..<bytes.count), of: bytes)
        guard case .complete(let header) = head.verdict else { return nil }
        return header
    }

    /// Packets of the PID are missing before the next one.
    public mutating func interrupt() { head.interrupt() }
}
