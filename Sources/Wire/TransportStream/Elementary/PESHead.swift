// SPDX-License-Identifier: Apache-2.0

/// Reads the header of a PES packet, which may extend over several transport packets, and counts the octets of data
/// after it.
struct PESHead: Sendable {
    enum Verdict {
        case incomplete
        case complete(PESHeader)
        /// A PES packet without elementary stream data, for example padding.
        case foreign
        case malformed
        case scrambled
    }

    private enum State {
        /// No PES packet has begun. Data may follow of a PES packet whose beginning was not seen.
        case outside
        case reading
        /// Octets of data still to come; nil if the packet ends where the next begins.
        case data(left: Int?)
        /// Nothing is used until the next PES packet begins.
        case refused
    }

    private var state = State.outside
    private var octets: [UInt8] = []

    init() { octets.reserveCapacity(9 + 255) }

    var isReading: Bool { if case .reading = state { true } else { false } }
    /// Whether less arrived than was announced.
    var isCutShort: Bool {
        switch state {
        case .data(let left): left ?? 0 > 0
        case .reading: true
        case .outside, .refused: false
        }
    }
    /// Whether all that was announced has arrived.
    var isAtEnd: Bool { if case .data(left: .some(0)) = state { true } else { false } }

    mutating func begin() {
        octets.removeAll(keepingCapacity: true)
        state = .reading
    }

    mutating func forget() { state = .outside }

    /// Octets are missing here. A header with a gap cannot be used.
    mutating func interrupt() {
        if isReading { state = .refused }
    }

    /// - Returns: the part of `payload` after the header.
    mutating func read(_ payload: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Range<Int> {
        var start = payload.lowerBound
        while start < payload.upperBound, octets.count < needed {
            let end = min(payload.upperBound, start + needed - octets.count)
            octets.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            start = end
        }
        return start..<payload.upperBound
    }

    var verdict: Verdict {
        mutating get {
            guard octets.count >= needed else { return .incomplete }
            // The error of a single packet is not needed; it is counted.
            let header = octets.withUnsafeBytes { try? PESHeader($0, in: 0..<$0.count) }
            guard let header else {
                state = .refused
                return .malformed
            }
            guard PESHeader.hasOptionalPart(header.streamID) else {
                state = .refused
                return .foreign
            }
            guard !header.isScrambled else {
                state = .refused
                return .scrambled
            }
            state = .data(left: header.packetLength.map { max(0, $0 + PESHeader.lengthFieldEnd - octets.count) })
            return .complete(header)
        }
    }

    /// The part of `payload` that is data of the PES packet, and whether more came than was announced: pictures that are
    /// longer than PES_packet_length can say are sent with what is left of it in 16 bits. Octets 0xFF behind the end are
    /// stuffing.
    mutating func take(_ payload: Range<Int>, of bytes: UnsafeRawBufferPointer) -> (data: Range<Int>, isSurplus: Bool) {
        switch state {
        case .outside, .data(left: nil): return (payload, false)
        case .reading, .refused: return (payload.lowerBound..<payload.lowerBound, false)
        case .data(left: .some(let left)):
            let announced = payload.lowerBound..<payload.lowerBound + min(left, payload.count)
            state = .data(left: left - announced.count)
            guard bytes[announced.upperBound..<payload.upperBound].contains(where: { $0 != 0xFF }) else {
                return (announced, false)
            }
            state = .data(left: nil)
            return (payload, true)
        }
    }

    private var needed: Int {
        if octets.count >= 4, !PESHeader.hasOptionalPart(octets[3]) { return PESHeader.lengthFieldEnd }
        return octets.count < 9 ? 9 : 9 + Int(octets[8])
    }
}
