// SPDX-License-Identifier: Apache-2.0
import Bytes

extension PictureDepacketizer {
    /// Takes the NAL units of a packet.
    mutating func readUnits(from reader: inout WireReader, _ syntax: NALSyntax) throws(WireError) {
        let header = try reader.peek()
        if header & 0x80 != 0 { picture.isDamaged = true }  // forbidden_zero_bit: an earlier link found errors
        let content = syntax.content(header)
        if content == .fragment { return try readFragment(from: &reader, syntax) }
        dropFragment()
        switch content {
        case .single:
            let head = try reader.take(syntax.headerOctets)
            append(head, reader.takeRest(), of: reader.bytes, syntax)
        case .aggregate:
            try reader.skip(syntax.headerOctets)
            try readAggregate(from: &reader, syntax)
        case .fragment, .unsupported:
            throw WireError(.unsupported("NAL type", UInt64(syntax.type(header))), at: reader.offset)
        case .invalid: throw WireError(.invalid("NAL type", UInt64(syntax.type(header))), at: reader.offset)
        }
    }

    private mutating func readAggregate(from reader: inout WireReader, _ syntax: NALSyntax) throws(WireError) {
        repeat {
            let size: UInt16 = try reader.read()
            var unit = try reader.reader(of: Int(size))
            let start = unit.offset
            let head = try unit.take(syntax.headerOctets)
            guard syntax.content(reader.bytes[start]) == .single else {
                throw WireError(.invalid("aggregated NAL unit", UInt64(size)), at: start)
            }
            append(head, unit.takeRest(), of: reader.bytes, syntax)
        } while !reader.isAtEnd
    }

    /// - Parameter head: the unit's header, `rest` what follows it.
    private mutating func append(
        _ head: Range<Int>, _ rest: Range<Int>, of bytes: UnsafeRawBufferPointer, _ syntax: NALSyntax
    ) {
        let role = syntax.role(bytes[head.lowerBound])
        guard role != .filler else { return }
        picture.startUnit()
        picture.append(head, of: bytes)
        picture.append(rest, of: bytes)
        picture.endUnit(role)
    }

    ///     H.264 +-+---+----+ +-+-+-+----+    HEVC +-+----+-------+---+ +-+-+------+
    ///           |F|NRI| 28 | |S|E|R|Type|         |F| 49 |LayerId|TID| |S|E| Type |
    ///           +-+---+----+ +-+-+-+----+         +-+----+-------+---+ +-+-+------+
    private mutating func readFragment(from reader: inout WireReader, _ syntax: NALSyntax) throws(WireError) {
        let indicator: UInt8 = try reader.read()
        let layer: UInt8? = syntax == .hevc ? try reader.read() : nil
        let flags: UInt8 = try reader.read()
        let header = syntax.header(ofFragment: flags, in: indicator)
        guard syntax.content(header) == .single else {
            throw WireError(.invalid("fragmentation unit", UInt64(flags)), at: reader.offset)
        }
        if flags & 0x80 != 0 {
            dropFragment()
            fragment = (picture.bytes.count, header)
            picture.startUnit()
            picture.append(header)
            if let layer { picture.append(layer) }
        }
        guard let begun = fragment, syntax.type(begun.header) == syntax.type(header) else {
            dropFragment()
            picture.isDamaged = true  // its beginning is missing
            return
        }
        picture.append(reader.takeRest(), of: reader.bytes)
        guard flags & 0x40 != 0 else { return }
        picture.endUnit(syntax.role(header))
        fragment = nil
    }

    /// Whether a packet contains the beginning of a picture: a unit that precedes slices, or a slice that says to be the
    /// first. In H.264 its first_mb_in_slice is 0, coded as the single bit 1; HEVC has a flag in the same place.
    static func beginsPicture(from reader: inout WireReader, _ syntax: NALSyntax) throws(WireError) -> Bool {
        var header: UInt8 = try reader.read()
        try reader.skip(syntax.headerOctets - 1)
        switch syntax.content(header) {
        case .aggregate:
            try reader.skip(2)
            header = try reader.read()
            try reader.skip(syntax.headerOctets - 1)
        case .fragment:
            let flags: UInt8 = try reader.read()
            guard flags & 0x80 != 0 else { return false }
            header = syntax.header(ofFragment: flags, in: header)
        default: break
        }
        let role = syntax.role(header)
        if case .slice = role { return try reader.peek() & 0x80 != 0 }
        return role.isPreface
    }
}
