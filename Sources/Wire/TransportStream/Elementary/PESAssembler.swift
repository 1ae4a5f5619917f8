// SPDX-License-Identifier: Apache-2.0

/// Assembles the PES packets of one PID in one buffer, which grows to the longest unit and is then reused.
///
/// A unit is complete when its announced length has arrived, or if none is announced, when the next unit begins.
struct PESAssembler: Sendable {
    /// Octets of the longest unit that is kept; a longer one is dropped completely.
    let limit: Int
    /// Content of the PES packets that end from now on.
    var content = PESContent.unit
    private(set) var counters = AssemblyCounters()

    private var buffer: [UInt8] = []
    private var isCollecting = false
    private var isDamaged = false
    private var isRandomAccess = false
    private var isDiscontinuity = false
    /// Whether a packet since the beginning of the last unit announced a discontinuity, for example a PCR packet
    /// without payload.
    private var nextIsDiscontinuity = false
    private var mark: UInt64 = 0

    init(limit: Int = 4 << 20) {
        precondition(limit > PESHeader.lengthFieldEnd)
        self.limit = limit
    }

    /// - Parameter lost: whether packets are missing before this one.
    /// - Parameter mark: a value of the caller that is returned with the unit that begins in this packet.
    /// - Parameter emit: called with each complete unit and its data, which are valid only during the call.
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

    /// Emits the unit collected, because the stream has ended or another one follows.
    mutating func flush(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        guard isCollecting else { return }
        if let expected = expectedCount, buffer.count < expected { isDamaged = true }
        if isDamaged { counters.damagedUnits &+= 1 }
        var now = counters
        buffer.withUnsafeBytes { bytes in
            // The error of a single packet is not needed; it is counted.
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

    /// Drops the unit collected; the next unit starts afresh.
    mutating func forget() {
        buffer.removeAll(keepingCapacity: true)
        isCollecting = false
        isDamaged = false
    }

    /// Octets of the whole PES packet; nil if it does not announce its length or the length field has not arrived.
    private var expectedCount: Int? {
        guard buffer.count >= PESHeader.lengthFieldEnd else { return nil }
        let length = Int(buffer[4]) << 8 | Int(buffer[5])
        return length == 0 ? nil : PESHeader.lengthFieldEnd + length
    }
}
