// SPDX-License-Identifier: Apache-2.0
import Bytes
import Venue

/// Extracts units of sound from RTP packets, as a transport stream carries them: AAC of mpeg4-generic (RFC 3640) in
/// ADTS frames and of MP4A-LATM (RFC 6416) in LOAS frames, frames of MPEG audio (RFC 2250) and AC-3 (RFC 4184), packets
/// of Opus (RFC 7587).
///
/// It takes the packets of one payload type, in order. It allocates nothing per packet and holds one unit of at most 16
/// KiB.
public struct SoundDepacketizer: Sendable {
    /// The content of packets.
    enum Content: Sendable {
        case aac(ADTSFrame, AACFraming)
        /// The description of a stream that has none itself; nil if it has.
        case latm(StreamMuxConfig?)
        case mpegAudio, ac3, opus

        /// Whether the marker bit is that of a unit's last packet. Of MPEG audio it begins a span of sound.
        var marksEnd: Bool {
            switch self {
            case .aac, .latm, .ac3: true
            case .mpegAudio, .opus: false
            }
        }
    }

    private static let samplesPerUnit = 1_024
    private static let mostOctets = 16 << 10

    /// Value that the units beginning from now on carry.
    public var mark: UInt64 = 0
    public private(set) var counters = DepacketizerCounters()

    private let content: Content
    /// Time stamp ticks from one unit to the next of the same packet; 0 if there are not several.
    private let ticksPerUnit: UInt32
    private var order = SequenceOrder()
    private var frame: [UInt8] = []
    /// The last unit that LATM was made into.
    private var framed: [UInt8] = []
    /// A unit that extends over several packets, and the octets that it still lacks; nil if the marker bit ends it.
    private var fragmented: (unit: RTPUnit, missing: Int?)?
    private var nextFollowsLoss = false
    private var nextIsDiscontinuity = false

    /// - Throws: `.unsupported` for a coding of pictures; and of AAC for an object type other than AAC-LC, channels
    ///   described in a program_config_element, a sampling rate without an index, frames of 960 samples, and in
    ///   mpeg4-generic spectral band replication described in the configuration.
    public init(_ medium: ElementaryMedium) throws(WireError) {
        var sampleRate: Int?
        switch medium.coding {
        case .aac(let format):
            let config = try format.configuration.withOctets { (bytes) throws(WireError) in
                try AudioSpecificConfig(bytes)
            }
            guard !config.saysReplication else {
                throw WireError(.unsupported("audioObjectType", UInt64(config.objectType)), at: 0)
            }
            content = .aac(
                try config.adts(),
                try AACFraming(
                    sizeLength: format.sizeLength, indexLength: format.indexLength,
                    indexDeltaLength: format.indexDeltaLength))
            sampleRate = config.sampleRate
        case .latm(nil): content = .latm(nil)
        case .latm(let octets?):
            let config = try octets.withOctets { (bytes) throws(WireError) in try StreamMuxConfig(bytes) }
            content = .latm(config)
            sampleRate = config.audio.sampleRate
        case .mpegAudio: content = .mpegAudio
        case .ac3: content = .ac3
        case .opus: content = .opus
        case .h264, .hevc, .mpegVideo: throw WireError(.unsupported("coding of pictures", 0), at: 0)
        }
        let clockRate = min(max(medium.clockRate, 1), 1_000_000)
        ticksPerUnit = sampleRate.map { UInt32(Self.samplesPerUnit * clockRate / $0) } ?? 0
        frame.reserveCapacity(Self.mostOctets)
        if case .latm = content { framed.reserveCapacity(LOASFrame.mostOctets) }
    }

    /// Takes one packet.
    /// - Parameter bytes: the bytes that the header was read from.
    /// - Parameter emit: called with each unit; its bytes are valid only during the call.
    public mutating func push(
        _ header: RTPHeader, in bytes: UnsafeRawBufferPointer, emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) {
        let verdict = order.check(header)
        counters.count(verdict)
        switch verdict {
        case .inOrder: break
        case .late: return
        case .gap:
            abandon()
            nextFollowsLoss = true
        case .newSource:
            abandon()
            nextIsDiscontinuity = true
        }
        if let begun = fragmented, begun.unit.timestamp != header.timestamp { abandon() }
        var reader = WireReader(bytes, in: header.payload)
        guard !reader.isAtEnd else { return }  // an empty packet keeps the path open
        do throws(WireError) {
            switch content {
            case .aac(let adts, let framing): try readAAC(&reader, header, adts, framing, emit: emit)
            case .latm(let config): try readLATM(&reader, header, config, emit: emit)
            case .mpegAudio: try readMPEGAudio(&reader, header, emit: emit)
            case .ac3: try readAC3(&reader, header, emit: emit)
            case .opus:
                begin(timestamp: header.timestamp, missing: 0)
                try append(reader.takeRest(), of: bytes, emit: emit)
            }
        } catch {
            switch error.reason {
            case .unsupported: counters.unsupportedPackets &+= 1
            case .limit: counters.oversizedUnits &+= 1
            default: counters.malformedPackets &+= 1
            }
            abandon()
            nextFollowsLoss = true
        }
        if header.hasMarker, content.marksEnd { abandon() }  // missing octets will not arrive
    }

    // MARK: Payloads

    private mutating func readAAC(
        _ reader: inout WireReader, _ header: RTPHeader, _ adts: ADTSFrame, _ framing: AACFraming,
        emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) throws(WireError) {
        var headers = try AUHeaders(from: &reader, framing: framing)
        var timestamp = header.timestamp
        var isAlone = true
        while let size = try headers.next() {
            guard (1...ADTSFrame.largestPayload).contains(size) else {
                throw WireError(.invalid("AU-size", UInt64(size)), at: reader.offset)
            }
            if let missing = fragmented?.missing {
                // Each fragment states the size of the whole unit.
                guard size == frame.count - ADTSFrame.headerOctets + missing else {
                    throw WireError(.invalid("AU-size", UInt64(size)), at: reader.offset)
                }
                return try append(reader.take(min(missing, reader.remaining)), of: reader.bytes, emit: emit)
            }
            // A fragment is alone in its packet; several units in a packet are each complete.
            guard size <= reader.remaining || isAlone && headers.isAtEnd else {
                throw WireError(.truncated(needed: size, available: reader.remaining), at: reader.offset)
            }
            begin(timestamp: timestamp, missing: size)
            adts.appendHeader(ofPayload: size, to: &frame)
            try append(reader.take(min(size, reader.remaining)), of: reader.bytes, emit: emit)
            timestamp &+= ticksPerUnit
            isAlone = false
        }
    }

    /// A packet has one audioMuxElement or a fragment of one; the marker bit is on the last.
    private mutating func readLATM(
        _ reader: inout WireReader, _ header: RTPHeader, _ config: StreamMuxConfig?,
        emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) throws(WireError) {
        if fragmented == nil { begin(timestamp: header.timestamp, missing: nil) }
        try append(reader.takeRest(), of: reader.bytes, emit: emit)
        guard header.hasMarker, var unit = fragmented?.unit else { return }
        let ticks = ticksPerUnit
        try frame.withOctets { (bytes) throws(WireError) in
            guard let config else {
                try LOASFrame.write(element: bytes, to: &framed)
                return framed.withUnsafeBytes { emit(unit, $0) }
            }
            var rest = WireReader(bytes)
            for _ in 0..<config.subframes { try rest.skip(try Self.payloadLength(&rest)) }
            // After a loss it may be the end of an element whose beginning is missing.
            guard rest.isAtEnd || !unit.followsLoss else {
                throw WireError(.invalid("audioMuxElement", UInt64(bytes.count)), at: rest.offset)
            }
            var element = WireReader(bytes)
            for _ in 0..<config.subframes {
                let payload = try element.take(try Self.payloadLength(&element))
                try LOASFrame.write(payload: UnsafeRawBufferPointer(rebasing: bytes[payload]), config, to: &framed)
                framed.withUnsafeBytes { emit(unit, $0) }
                unit.timestamp &+= ticks
                (unit.followsLoss, unit.isDiscontinuity) = (false, false)
            }
        }
        fragmented = nil
    }

    /// PayloadLengthInfo (ISO/IEC 14496-3 §1.7.3.2.3): octets that are added up, to the first below 255.
    private static func payloadLength(_ reader: inout WireReader) throws(WireError) -> Int {
        var length = 0
        while true {
            let octet: UInt8 = try reader.read()
            length += Int(octet)
            if octet != 0xFF { break }
        }
        guard length > 0 else { throw WireError(.invalid("MuxSlotLengthBytes", 0), at: reader.offset) }
        return length
    }

    ///     +--------+-------------+-----------------------------------------------+
    ///     | MBZ 16 | Frag_offset | whole frames, or a frame from this offset on  |
    ///     +--------+-------------+-----------------------------------------------+
    private mutating func readMPEGAudio(
        _ reader: inout WireReader, _ header: RTPHeader, emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) throws(WireError) {
        try reader.skip(2)
        let offset: UInt16 = try reader.read()
        if offset == 0 {
            abandon()
            var head = reader
            let size = try MPEGAudioHeader(from: &head).octets ?? 0
            begin(timestamp: header.timestamp, missing: max(size, reader.remaining))
        } else if fragmented == nil || Int(offset) != frame.count {
            throw WireError(.invalid("Frag_offset", UInt64(offset)), at: reader.offset)
        }
        try append(reader.takeRest(), of: reader.bytes, emit: emit)
    }

    ///     +-------+------+------+-----------------------------+
    ///     | MBZ 6 | FT 2 | NF 8 | frames or a part of a frame |
    ///     +-------+------+------+-----------------------------+
    private mutating func readAC3(
        _ reader: inout WireReader, _ header: RTPHeader, emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) throws(WireError) {
        let front: UInt16 = try reader.read()
        let type = front >> 8 & 3  // 0: whole frames; 1, 2: the beginning of one; 3: more of one
        if type == 3 {
            guard fragmented != nil else { throw WireError(.invalid("frame type", 3), at: reader.offset) }
        } else {
            abandon()
            var head = reader
            let sync: UInt16 = try head.read()
            guard sync == 0x0B77 else { throw WireError(.invalid("syncword", UInt64(sync)), at: reader.offset) }
            begin(timestamp: header.timestamp, missing: type == 0 ? reader.remaining : nil)
        }
        try append(reader.takeRest(), of: reader.bytes, emit: emit)
        if header.hasMarker, fragmented != nil { end(emit: emit) }
    }

    // MARK: Units

    /// - Parameter missing: octets of the unit; nil if the marker bit ends it.
    private mutating func begin(timestamp: UInt32, missing: Int?) {
        var unit = RTPUnit(timestamp: timestamp)
        unit.isRandomAccess = true
        unit.followsLoss = nextFollowsLoss
        unit.isDiscontinuity = nextIsDiscontinuity
        unit.mark = mark
        nextFollowsLoss = false
        nextIsDiscontinuity = false
        frame.removeAll(keepingCapacity: true)
        fragmented = (unit, missing)
    }

    private mutating func append(
        _ range: Range<Int>, of bytes: UnsafeRawBufferPointer, emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) throws(WireError) {
        guard frame.count + range.count <= Self.mostOctets else {
            throw WireError(.limit("unit of sound", UInt64(frame.count + range.count)), at: range.lowerBound)
        }
        frame.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
        guard let missing = fragmented?.missing else { return }
        fragmented?.missing = missing - range.count
        if missing <= range.count { end(emit: emit) }
    }

    private mutating func end(emit: (RTPUnit, UnsafeRawBufferPointer) -> Void) {
        guard let unit = fragmented?.unit else { return }
        fragmented = nil
        frame.withUnsafeBytes { emit(unit, $0) }
    }

    /// Drops the fragmented unit, because the rest of it will not arrive.
    private mutating func abandon() {
        guard let begun = fragmented else { return }
        counters.droppedUnits &+= 1
        nextFollowsLoss = true
        if begun.unit.isDiscontinuity { nextIsDiscontinuity = true }
        fragmented = nil
    }
}
