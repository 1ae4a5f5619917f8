// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Assembles H.264 pictures in annex B form from RTP packets of packetization-mode 0 and 1 (RFC 6184).
///
/// It takes the packets of one payload type, in order. It allocates nothing per packet once its buffer has grown to the
/// longest picture.
public struct H264Depacketizer: Sendable {
    /// Value that the units beginning from now on carry.
    public var mark: UInt64 = 0
    public private(set) var counters = DepacketizerCounters()

    private var order = SequenceOrder()
    private var picture: H264Picture
    /// Offset in the picture of the fragmented NAL unit, and its header; nil between fragmented units.
    private var fragment: (start: Int, header: UInt8)?
    private var nextFollowsLoss = false
    private var nextIsDiscontinuity = false

    /// - Parameter parameterSets: NAL units of sprop-parameter-sets, which are inserted before each IDR picture of a
    ///   stream that sends none itself. Units that are not parameter sets and those beyond 64 KiB are left out.
    /// - Parameter limit: octets of the longest picture kept; 4 MiB suffice for the largest picture of any level up to
    ///   5.2.
    public init(parameterSets: [[UInt8]] = [], limit: Int = 4 << 20) {
        picture = H264Picture(parameterSets: parameterSets, limit: limit)
    }

    /// Octets of the incomplete picture.
    var bufferedOctets: Int { picture.bytes.count }

    /// Takes one packet. A picture ends with the marker bit or when the time stamp changes.
    /// - Parameter bytes: the bytes that the header was read from.
    /// - Parameter emit: called with each picture that ends; its bytes are valid only during the call.
    public mutating func push(
        _ header: RTPHeader, in bytes: UnsafeRawBufferPointer, emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) {
        let verdict = order.check(header)
        counters.count(verdict)
        var isAfterGap = false
        switch verdict {
        case .inOrder: break
        case .late: return
        case .gap: isAfterGap = true
        case .newSource:
            interrupt()
            finish(emit: emit)
            nextIsDiscontinuity = true
        }
        if isAfterGap { interrupt() }
        if let begun = picture.unit, begun.timestamp != header.timestamp {
            dropFragment()
            if picture.isPreface { picture.moves(to: header.timestamp) } else { finish(emit: emit) }
        }
        if isAfterGap, picture.unit == nil { nextFollowsLoss = true }
        if picture.unit == nil { begin(header, in: bytes) }
        read(header.payload.clamped(to: 0..<bytes.count), of: bytes)
        // Parameter sets that arrive alone belong to the next picture.
        if header.hasMarker, fragment != nil || !picture.isPreface { finish(emit: emit) }
    }

    /// Delivers the incomplete picture, because the stream has ended.
    public mutating func flush(emit: (RTPUnit, UnsafeRawBufferPointer) -> Void) { finish(emit: emit) }

    private mutating func begin(_ header: RTPHeader, in bytes: UnsafeRawBufferPointer) {
        var unit = RTPUnit(timestamp: header.timestamp)
        unit.mark = mark
        unit.followsLoss = nextFollowsLoss
        unit.isDiscontinuity = nextIsDiscontinuity
        let isCertain = counters.packets > 1 && !nextFollowsLoss && !nextIsDiscontinuity
        unit.isDamaged = !isCertain && !beginsPicture(header.payload, of: bytes)
        nextFollowsLoss = false
        nextIsDiscontinuity = false
        picture.begin(unit)
    }

    /// Packets are missing here. A NAL unit with a gap is dropped.
    private mutating func interrupt() {
        dropFragment()
        picture.isDamaged = true
    }

    private mutating func dropFragment() {
        guard let fragment else { return }
        picture.truncate(to: fragment.start)
        picture.isDamaged = true
        self.fragment = nil
    }

    private mutating func finish(emit: (RTPUnit, UnsafeRawBufferPointer) -> Void) {
        dropFragment()
        if picture.isOversized {
            counters.oversizedUnits &+= 1
            nextFollowsLoss = true
        } else if picture.hasSlice, let unit = picture.finished() {
            if unit.isDamaged { counters.damagedUnits &+= 1 }
            picture.bytes.withUnsafeBytes { emit(unit, $0) }
        } else if picture.unit?.isDamaged == true {
            counters.droppedUnits &+= 1
            nextFollowsLoss = true
        }
        picture.forget()
    }

    private mutating func read(_ payload: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        var reader = WireReader(bytes, in: payload)
        guard !reader.isAtEnd else { return }  // an empty packet keeps the path open
        do throws(WireError) {
            let header = try reader.peek()
            let type = header & 0x1F
            if header & 0x80 != 0 { picture.isDamaged = true }  // forbidden_zero_bit: an earlier link found errors
            if type == H264NAL.fragment { return try readFragment(from: &reader) }
            dropFragment()
            if H264NAL.single.contains(type) { return append(reader.takeRest(), of: bytes) }
            guard type == H264NAL.aggregate else {
                if !H264NAL.interleaved.contains(type) { throw WireError(.invalid("NAL type", UInt64(type)), at: 0) }
                counters.unsupportedPackets &+= 1
                picture.isDamaged = true
                return
            }
            try reader.skip(1)
            while !reader.isAtEnd {
                let size: UInt16 = try reader.read()
                let unit = try reader.take(Int(size))
                guard !unit.isEmpty, H264NAL.single.contains(bytes[unit.lowerBound] & 0x1F) else {
                    throw WireError(.invalid("aggregated NAL unit", UInt64(size)), at: unit.lowerBound)
                }
                append(unit, of: bytes)
            }
        } catch {
            counters.malformedPackets &+= 1
            dropFragment()
            picture.isDamaged = true
        }
    }

    private mutating func append(_ unit: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        let header = bytes[unit.lowerBound]
        guard header & 0x1F != H264NAL.filler else { return }
        picture.startUnit()
        picture.append(unit, of: bytes)
        picture.endUnit(header)
    }

    ///     +-+---+----+-+-+-+----+
    ///     |F|NRI| 28 |S|E|R|Type|
    ///     +-+---+----+-+-+-+----+
    private mutating func readFragment(from reader: inout WireReader) throws(WireError) {
        let indicator: UInt8 = try reader.read()
        let flags: UInt8 = try reader.read()
        let header = indicator & 0xE0 | flags & 0x1F
        guard H264NAL.single.contains(header & 0x1F) else {
            throw WireError(.invalid("FU-A", UInt64(flags)), at: reader.offset)
        }
        if flags & 0x80 != 0 {
            dropFragment()
            fragment = (picture.bytes.count, header)
            picture.startUnit()
            picture.append(header)
        }
        guard let begun = fragment, begun.header & 0x1F == header & 0x1F else {
            dropFragment()
            picture.isDamaged = true  // its beginning is missing
            return
        }
        picture.append(reader.takeRest(), of: reader.bytes)
        guard flags & 0x40 != 0 else { return }
        picture.endUnit(header)
        fragment = nil
    }

    /// Whether a packet contains the beginning of a picture: a unit that precedes slices, or a slice whose
    /// first_mb_in_slice is 0, coded as the single bit 1.
    private func beginsPicture(_ payload: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Bool {
        var reader = WireReader(bytes, in: payload)
        guard var header: UInt8 = try? reader.read() else { return false }  // an empty packet begins no picture
        switch header & 0x1F {
        case H264NAL.aggregate:
            // A packet that is cut short begins no picture, here and below.
            guard (try? reader.skip(2)) != nil, let first: UInt8 = try? reader.read() else { return false }
            header = first
        case H264NAL.fragment:
            guard let flags: UInt8 = try? reader.read(), flags & 0x80 != 0 else { return false }
            header = flags
        default: break
        }
        let type = header & 0x1F
        guard H264NAL.slices.contains(type) else { return H264NAL.isPreface(type) }
        let first = (try? reader.peek()) ?? 0
        return first & 0x80 != 0
    }
}
