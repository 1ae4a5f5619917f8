// SPDX-License-Identifier: Apache-2.0

/// Assembles the sections of one PID from packets. A section has at most 4096 octets; the buffer is allocated once.
public struct SectionAssembler: Sendable {
    /// Octets of the longest section. Only private ones are so long; PAT and PMT have at most 1024.
    public static var maximumLength: Int { 4096 }

    /// Sections abandoned because packets are missing, the length is above the maximum, or the pointer_field points out
    /// of the packet.
    public private(set) var abandonedSections: UInt64 = 0

    private var buffer: [UInt8] = []
    private var isCollecting = false
    private var continuity = Continuity()

    public init() { buffer.reserveCapacity(SectionAssembler.maximumLength) }

    /// Calls `section` with every section that `packet` completes. Its bytes are valid only during the call, and its
    /// CRC is not checked yet.
    public mutating func push(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, _ section: (UnsafeRawBufferPointer) -> Void
    ) {
        switch continuity.check(packet, in: bytes) {
        case .duplicate: return
        case .gap, .signalledDiscontinuity: abandon()
        case .inOrder: break
        }
        guard packet.hasPayload, !packet.isScrambled, !packet.payload.isEmpty else { return }
        guard packet.startsUnit else { return append(packet.payload, of: bytes, section) }
        let start = packet.payload.lowerBound + 1 + Int(bytes[packet.payload.lowerBound])
        guard start <= packet.payload.upperBound else { return abandon() }
        append(packet.payload.lowerBound + 1..<start, of: bytes, section)
        abandon()  // a section begun before ends at the pointer_field's target
        isCollecting = true
        append(start..<packet.payload.upperBound, of: bytes, section)
    }

    /// Starts afresh for another PID; `abandonedSections` stays.
    public mutating func reset() {
        buffer.removeAll(keepingCapacity: true)
        isCollecting = false
        continuity = Continuity()
    }

    private mutating func append(
        _ range: Range<Int>, of bytes: UnsafeRawBufferPointer, _ section: (UnsafeRawBufferPointer) -> Void
    ) {
        var next = range.lowerBound
        while isCollecting, next < range.upperBound {
            if buffer.isEmpty, bytes[next] == 0xFF {  // table_id 0xFF: stuffing up to the end of the packet
                isCollecting = false
                return
            }
            let end = min(range.upperBound, next + missing)
            buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[next..<end]))
            next = end
            guard buffer.count >= SectionHeader.lengthFieldEnd else { continue }
            guard expectedLength <= SectionAssembler.maximumLength else { return abandon() }
            guard missing == 0 else { continue }
            buffer.withUnsafeBytes(section)
            buffer.removeAll(keepingCapacity: true)
        }
    }

    /// Octets of the section; until its length is known, of the part that contains section_length.
    private var expectedLength: Int {
        guard buffer.count >= SectionHeader.lengthFieldEnd else { return SectionHeader.lengthFieldEnd }
        return SectionHeader.lengthFieldEnd + Int(buffer[1] & 0xF) << 8 + Int(buffer[2])
    }

    private var missing: Int { expectedLength - buffer.count }

    private mutating func abandon() {
        if isCollecting, !buffer.isEmpty { abandonedSections &+= 1 }
        buffer.removeAll(keepingCapacity: true)
        isCollecting = false
    }
}
