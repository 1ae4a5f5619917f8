// SPDX-License-Identifier: Apache-2.0

/// Assembles the PES packets of one PID in one buffer, which grows to the longest unit and is then reused.
///
/// A unit is complete when its announced length has arrived, or if none is announced, when the next unit begins. Some
/// senders announce less than they send: when packets have come behind the announced end, which are a unit of their own
/// without time stamps, nothing that is announced counts from then on.
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
    /// The unit that has reached its announced end, and what came behind that in its last packet; nil if no more can
    /// belong to it.
    private var ended: (unit: PESUnit, rest: [UInt8])?
    /// Whether what is collected comes behind the announced end of a unit.
    private var isRest = false
    /// Whether that has been so.
    private var ignoresLength = false

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
            complete(emit: emit)
            ended = nil
            isCollecting = true
            self.mark = mark
            isRandomAccess = packet.isRandomAccess
            isDiscontinuity = nextIsDiscontinuity
            nextIsDiscontinuity = false
        }
        if !isCollecting { collectRest(behind: packet, lost: lost) }
        guard isCollecting else { return }
        let payload = packet.payload.clamped(to: 0..<bytes.count)
        guard buffer.count + payload.count <= limit else {
            counters.oversizedUnits &+= 1
            return empty()
        }
        buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[payload]))
        if let expected = expectedCount, buffer.count >= expected { complete(emit: emit) }
    }

    /// The unit before has ended as it was announced, and its packets go on.
    private mutating func collectRest(behind packet: TSPacket, lost: Bool) {
        guard packet.hasPayload, !packet.startsUnit, let ended, case .unit = content else { return }
        self.ended?.rest = []
        guard !lost else { return self.ended = nil }
        buffer.append(contentsOf: ended.rest)
        (isCollecting, isRest, ignoresLength) = (true, true, true)
    }

    /// Emits the unit collected, because the stream has ended or another stream follows.
    mutating func flush(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        complete(emit: emit)
        forget()
    }

    private mutating func complete(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        guard isCollecting else { return }
        guard !isRest else { return completeRest(emit: emit) }
        if isCut { isDamaged = true }
        if isDamaged { counters.damagedUnits &+= 1 }
        var (now, last) = (counters, ended)
        buffer.withUnsafeBytes { bytes in
            // The error of a single packet is not needed; it is counted.
            guard let header = try? PESHeader(bytes, in: 0..<bytes.count) else { return now.malformedUnits &+= 1 }
            guard !header.isScrambled else { return now.scrambledUnits &+= 1 }
            if header.isDisordered { now.disorderedTimes &+= 1 }
            var unit = PESUnit(header, isDiscontinuity: isDiscontinuity)
            unit.isRandomAccess = isRandomAccess
            unit.isDamaged = isDamaged
            unit.mark = mark
            let end = ignoresLength ? bytes.count : header.data.upperBound
            let data = UnsafeRawBufferPointer(rebasing: bytes[header.data.lowerBound..<end])
            if !content.divide(unit, data, emit: emit) { now.malformedContents &+= 1 }
            (unit.pts, unit.dts, unit.isDiscontinuity, unit.isRandomAccess) = (nil, nil, false, false)
            last = (unit, Array(bytes[end...]))
        }
        (counters, ended) = (now, last)
        empty()
    }

    private mutating func completeRest(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        if var unit = ended?.unit {
            unit.isDamaged = isDamaged
            buffer.withUnsafeBytes { emit(unit, $0) }
        }
        empty()
    }

    /// Drops the unit collected, because other packets follow than those behind it.
    mutating func forget() {
        empty()
        (ended, ignoresLength) = (nil, false)
    }

    private mutating func empty() {
        buffer.removeAll(keepingCapacity: true)
        isCollecting = false
        isDamaged = false
        isRest = false
    }

    /// Whether a unit that cannot be decoded in part ends before its announced end. Of any other form it is whole as far
    /// as packets show, which are counted.
    private var isCut: Bool {
        if case .unit = content { return false }
        return expectedCount.map { buffer.count < $0 } ?? false
    }

    /// Octets of the whole PES packet; nil if it does not announce its length or the length field has not arrived.
    private var expectedCount: Int? {
        guard !ignoresLength, buffer.count >= PESHeader.lengthFieldEnd else { return nil }
        let length = Int(buffer[4]) << 8 | Int(buffer[5])
        return length == 0 ? nil : PESHeader.lengthFieldEnd + length
    }
}
