// SPDX-License-Identifier: Apache-2.0

/// Puts the PES packets of one PID together in one buffer, which grows to the greatest unit and is then used again.
///
/// A unit is complete when its announced length is there, else when the next one begins.
struct PESAssembler: Sendable {
    /// Octets of the longest unit kept; a longer one is dropped whole.
    let limit: Int
    /// Of the packets that end from now on.
    var content = PESContent.unit
    private(set) var counters = AssemblyCounters()

    private var buffer: [UInt8] = []
    private var isCollecting = false
    private var isDamaged = false
    private var isRandomAccess = false
    private var isDiscontinuity = false
    /// Announced by a packet since the last unit began: by a PCR packet without payload, say.
    private var nextIsDiscontinuity = false
    private var mark: UInt64 = 0

    init(limit: Int = 4 << 20) {
        precondition(limit > PESHeader.lengthFieldEnd)
        self.limit = limit
    }

    /// - Parameter lost: packets are missing before this one.
    /// - Parameter mark: the caller's, given back with the unit that begins in this packet.
    /// - Parameter emit: called with each unit that is complete and with its data, valid only during the call.
    mutating func push(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, lost: Bool, mark: UInt64,
        emit: (PESUnit, UnsafeRawBufferPointer) -> Void
    ) {
        if lost { isDamaged = isCollecting }
        if packet.isDiscontinuity { nextIsDiscontinuity = true }
        if packet.startsUnit, packet.hasPayload {
            flush(emit: emit)
            isCollecting = true
            self.mark = mark
            isRandomAccess = packet.isRandomAccess
            isDiscontinuity = nextIsDiscontinuity
            nextIsDiscontinuity = false
        }
        guard isCollecting else { return }
        let payload = packet.payload.clamped(to: 0..<bytes.count)
        guard buffer.count + payload.count <= limit else {
            counters.oversizedUnits &+= 1
            return forget()
        }
        buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[payload]))
        if let expected = expectedCount, buffer.count >= expected { flush(emit: emit) }
    }

    /// Emits what is there: the stream has ended, or what follows is another one.
    mutating func flush(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        guard isCollecting else { return }
        if let expected = expectedCount, buffer.count < expected { isDamaged = true }
        if isDamaged { counters.damagedUnits &+= 1 }
        var now = counters
        buffer.withUnsafeBytes { bytes in
            // Why it cannot be read interests nobody per packet; that it cannot is counted.
            guard let header = try? PESHeader(bytes, in: 0..<bytes.count) else { return now.malformedUnits &+= 1 }
            guard !header.isScrambled else { return now.scrambledUnits &+= 1 }
            if header.isDisordered { now.disorderedTimes &+= 1 }
            var unit = PESUnit(header, isDiscontinuity: isDiscontinuity)
            unit.isRandomAccess = isRandomAccess
            unit.isDamaged = isDamaged
            unit.mark = mark
            let data = UnsafeRawBufferPointer(rebasing: bytes[header.data])
            if !content.divide(unit, data, emit: emit) { now.malformedContents &+= 1 }
        }
        counters = now
        forget()
    }

    /// Drops what was collected; the next unit starts afresh.
    mutating func forget() {
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
