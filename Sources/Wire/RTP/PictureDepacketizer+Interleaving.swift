// SPDX-License-Identifier: Apache-2.0
import Bytes

/// NAL units with decoding order numbers: the interleaved mode of H.264 (RFC 6184 5.7, 5.8) and HEVC with
/// sprop-max-don-diff (RFC 7798 4.4). A picture ends when the next unit in decoding order has another time stamp.
extension PictureDepacketizer {
    mutating func pushNumbered(
        _ header: RTPHeader, _ verdict: SequenceOrder.Verdict, in bytes: UnsafeRawBufferPointer, _ syntax: NALSyntax,
        emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) {
        switch verdict {
        case .inOrder: break
        case .late: return
        case .gap: losePackets()
        case .newSource:
            losePackets()
            releaseUnits(syntax, isEnd: true, emit: emit)
            finish(emit: emit)
            nextIsDiscontinuity = true
        }
        var reader = WireReader(bytes, in: header.payload)
        guard !reader.isAtEnd else { return }  // an empty packet keeps the path open
        do throws(WireError) {
            try readNumbered(from: &reader, at: header.timestamp, syntax)
        } catch {
            count(error)
            losePackets()
        }
        releaseUnits(syntax, isEnd: false, emit: emit)
    }

    /// Puts units into pictures, as far as their order is known.
    mutating func releaseUnits(_ syntax: NALSyntax, isEnd: Bool, emit: (RTPUnit, UnsafeRawBufferPointer) -> Void) {
        while let unit = decodingOrder?.takeNext(isEnd: isEnd) {
            unit.octets.withUnsafeBytes { place(unit, $0, syntax, emit: emit) }
        }
    }

    private mutating func place(
        _ unit: DecodingOrder.Unit, _ octets: UnsafeRawBufferPointer, _ syntax: NALSyntax,
        emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) {
        if unit.followsLoss { picture.isDamaged = true }
        turn(to: unit.timestamp, emit: emit)
        if picture.unit == nil {
            if unit.followsLoss { nextFollowsLoss = true }
            var reader = WireReader(octets)
            let hasBeginning = try? Self.beginsPicture(from: &reader, syntax)  // one cut short has none
            begin(unit.timestamp, withItsBeginning: hasBeginning ?? false)
        }
        picture.startUnit()
        picture.append(0..<octets.count, of: octets)
        picture.endUnit(syntax.role(octets[0]))
    }

    private mutating func losePackets() { decodingOrder?.drop(marksLoss: true) }

    ///     H.264 STAP-B | header 25 | DON 16 | size 16, unit | size 16, unit | ...
    ///           MTAP   | header 26 | DONB 16 | size 16, DOND 8, TS offset 16, unit | ...   27: TS offset 24
    ///           FU-B   | indicator 29 | S E R type | DON 16 | part |                       FU-A, 28, continues it
    ///     HEVC  single | header | DONL 16 | rest of the unit |
    ///           AP     | header 48 | DONL 16 | size 16, unit | DOND 8, size 16, unit | ...
    ///           FU     | header 49 | S E type | DONL 16 if S | part |
    private mutating func readNumbered(
        from reader: inout WireReader, at timestamp: UInt32, _ syntax: NALSyntax
    ) throws(WireError) {
        let type = syntax.type(try reader.peek())
        switch (syntax, type) {
        case (.h264, 28), (.h264, 29), (.hevc, 49):
            try readNumberedFragment(from: &reader, at: timestamp, syntax, hasNumber: type != 28)
        case (.hevc, 0...47):
            let head = try reader.take(syntax.headerOctets)
            let number: UInt16 = try reader.read()
            hold(head, reader.takeRest(), of: reader.bytes, number, timestamp, syntax)
        case (.h264, 25...27), (.hevc, 48):
            try reader.skip(syntax.headerOctets)
            try readNumberedAggregate(from: &reader, at: timestamp, syntax, type)
        default: throw WireError(.invalid("NAL type", UInt64(type)), at: reader.offset)
        }
    }

    private mutating func readNumberedAggregate(
        from reader: inout WireReader, at timestamp: UInt32, _ syntax: NALSyntax, _ type: UInt8
    ) throws(WireError) {
        let isTimed = syntax == .h264 && type > 25
        let base: UInt16 = try reader.read()
        var number = base
        var isFirst = true
        repeat {
            if syntax == .hevc, !isFirst {
                let difference: UInt8 = try reader.read()
                number &+= UInt16(difference) &+ 1
            }
            let size: UInt16 = try reader.read()
            var time = timestamp
            if isTimed {
                let difference: UInt8 = try reader.read()
                number = base &+ UInt16(difference)
                time &+= UInt32(truncatingIfNeeded: try reader.read(octets: type == 26 ? 2 : 3))
            }
            var unit = try reader.reader(of: Int(size))
            let head = try unit.take(syntax.headerOctets)
            guard syntax.content(reader.bytes[head.lowerBound]) == .single else {
                throw WireError(.invalid("aggregated NAL unit", UInt64(size)), at: head.lowerBound)
            }
            hold(head, unit.takeRest(), of: reader.bytes, number, time, syntax)
            if type == 25 { number &+= 1 }
            isFirst = false
        } while !reader.isAtEnd
    }

    private mutating func readNumberedFragment(
        from reader: inout WireReader, at timestamp: UInt32, _ syntax: NALSyntax, hasNumber: Bool
    ) throws(WireError) {
        let indicator: UInt8 = try reader.read()
        let layer: UInt8? = syntax == .hevc ? try reader.read() : nil
        let flags: UInt8 = try reader.read()
        let header = syntax.header(ofFragment: flags, in: indicator)
        guard syntax.content(header) == .single, hasNumber || flags & 0x80 == 0 else {
            throw WireError(.invalid("fragmentation unit", UInt64(flags)), at: reader.offset)
        }
        if flags & 0x80 != 0 {
            let number: UInt16 = try reader.read()
            beginUnit(number, timestamp)
            decodingOrder?.append(header)
            if let layer { decodingOrder?.append(layer) }
        }
        decodingOrder?.append(reader.takeRest(), of: reader.bytes)
        if flags & 0x40 != 0 { decodingOrder?.end(syntax.role(header)) }
    }

    /// Holds a whole unit.
    private mutating func hold(
        _ head: Range<Int>, _ rest: Range<Int>, of bytes: UnsafeRawBufferPointer, _ number: UInt16,
        _ timestamp: UInt32, _ syntax: NALSyntax
    ) {
        beginUnit(number, timestamp)
        decodingOrder?.append(head, of: bytes)
        decodingOrder?.append(rest, of: bytes)
        decodingOrder?.end(syntax.role(bytes[head.lowerBound]))
    }

    private mutating func beginUnit(_ number: UInt16, _ timestamp: UInt32) {
        decodingOrder?.begin(number: number, timestamp: timestamp)
    }
}
