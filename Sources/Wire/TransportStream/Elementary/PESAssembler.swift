// SPDX-License-Identifier: Apache-2.0

/// Puts the PES packets of one PID together in one buffer, which grows to the greatest unit and is then used again.
///
/// A unit is complete when its announced length is there, else when the next one begins.
public struct PESAssembler: Sendable {
    /// Octets of the longest unit kept; a longer one is dropped whole.
    public let limit: Int
    public private(set) var oversizedUnits: UInt64 = 0
    public private(set) var damagedUnits: UInt64 = 0
    /// Units dropped because their header cannot be read.
    public private(set) var malformedUnits: UInt64 = 0

    private var buffer: [UInt8] = []
    private var isCollecting = false
    private var isDamaged = false
    private var isRandomAccess = false
    private var isDiscontinuity = false
    /// Announced by a packet since the last unit began: by a PCR packet without payload, say.
    private var nextIsDiscontinuity = false

    /// - Parameter limit: 4 MiB hold a coded picture of any level up to 5.2 at its maximum.
    public init(limit: Int = 4 << 20) {
        precondition(limit > PESHeader.lengthFieldEnd)
        self.limit = limit
    }

    /// - Parameter lost: packets are missing before this one.
    /// - Parameter emit: called with each unit that is complete and with its data, valid only during the call.
    public mutating func push(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, lost: Bool,
        emit: (PESUnit, UnsafeRawBufferPointer) -> Void
    ) {
        if lost { isDamaged = isCollecting }
        if packet.isDiscontinuity { nextIsDiscontinuity = true }
        if packet.startsUnit, packet.hasPayload {
            flush(emit: emit)
            isCollecting = true
            isRandomAccess = packet.isRandomAccess
            isDiscontinuity = nextIsDiscontinuity
            nextIsDiscontinuity = false
        }
        guard isCollecting else { return }
        let payload = packet.payload.clamped(to: 0..<bytes.count)
        guard buffer.count + payload.count <= limit else {
            oversizedUnits &+= 1
            return forget()
        }
        buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[payload]))
        if let expected = expectedCount, buffer.count >= expected { flush(emit: emit) }
    }

    /// Emits what is there: the stream has ended, or what follows is another one.
    public mutating func flush(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        guard isCollecting else { return }
        if let expected = expectedCount, buffer.count < expected { isDamaged = true }
        if isDamaged { damagedUnits &+= 1 }
        let isReadable = buffer.withUnsafeBytes { bytes in
            // Why it cannot be read interests nobody per packet; that it cannot is counted.
            guard let header = try? PESHeader(bytes, in: 0..<bytes.count) else { return false }
            let unit = PESUnit(
                streamID: header.streamID, pts: header.pts, dts: header.dts, isDataAligned: header.isDataAligned,
                isRandomAccess: isRandomAccess, isDamaged: isDamaged, isDiscontinuity: isDiscontinuity)
            emit(unit, UnsafeRawBufferPointer(rebasing: bytes[header.data]))
            return true
        }
        if !isReadable { malformedUnits &+= 1 }
        forget()
    }

    /// Drops what was collected; the next unit starts afresh.
    public mutating func forget() {
        buffer.removeAll(keepingCapacity: true)
        isCollecting = false
        isDamaged = false
    }

    /// Of the whole PES packet, where it is announced and known by now.
    private var expectedCount: Int? {
        guard buffer.count >= PESHeader.lengthFieldEnd else { return nil }
        let length = Int(buffer[4]) << 8 | Int(buffer[5])
        return length == 0 ? nil : PESHeader.lengthFieldEnd + length
    }
}
