// SPDX-License-Identifier: Apache-2.0
import Bytes
import Venue

/// Assembles coded pictures from RTP packets: H.264 (RFC 6184) and HEVC (RFC 7798) in
/// annex B form, MPEG-1 and MPEG-2 video (RFC 2250) with the headers before it.
///
/// It takes the packets of one payload type, in order. It allocates nothing per packet once its buffer has grown to the
/// longest picture.
public struct PictureDepacketizer: Sendable {
    /// Value that the units beginning from now on carry.
    public var mark: UInt64 = 0
    public private(set) var counters = DepacketizerCounters()

    /// The content of packets.
    enum Content: Sendable {
        case units(NALSyntax)
        case video
    }

    private let content: Content
    /// Units that are not in decoding order yet; nil if they are sent in it.
    var decodingOrder: DecodingOrder?
    private var order = SequenceOrder()
    var picture: CodedPicture
    /// Offset in the picture of the fragmented NAL unit, and its header; nil between fragmented units.
    var fragment: (start: Int, header: UInt8)?
    /// Whether the rest of a slice of MPEG video is skipped, because octets before it are missing.
    var skipsSlice = true
    var nextFollowsLoss = false
    var nextIsDiscontinuity = false

    /// - Parameter coding: its parameter sets are inserted before each picture with which decoding can begin if the
    ///   stream sends none itself. Units that are not parameter sets and those beyond 64 KiB are left out.
    /// - Parameter limit: octets of the longest picture kept; 4 MiB suffice for the largest picture of any level up to
    ///   5.2.
    /// - Returns: nil for a coding of sound.
    public init?(_ coding: ElementaryMedium.Coding, limit: Int = 4 << 20) {
        switch coding {
        case .h264(let parameterSets, let interleavingDepth):
            content = .units(.h264)
            decodingOrder = interleavingDepth.map { DecodingOrder(depth: $0, limit: limit) }
            picture = CodedPicture(.h264, parameterSets: parameterSets, limit: limit)
        case .hevc(let parameterSets, let interleavingDepth):
            content = .units(.hevc)
            decodingOrder = interleavingDepth.map { DecodingOrder(depth: $0, limit: limit) }
            picture = CodedPicture(.hevc, parameterSets: parameterSets, limit: limit)
        case .mpegVideo:
            content = .video
            picture = CodedPicture(limit: limit)
        case .aac, .latm, .mpegAudio, .ac3, .opus: return nil
        }
    }

    /// Octets of the incomplete picture.
    var bufferedOctets: Int { picture.bytes.count + (decodingOrder?.bufferedOctets ?? 0) }

    /// Takes one packet. A picture ends with the marker bit or when the time stamp changes.
    /// - Parameter bytes: the bytes that the header was read from.
    /// - Parameter emit: called with each picture that ends; its bytes are valid only during the call.
    public mutating func push(
        _ header: RTPHeader, in bytes: UnsafeRawBufferPointer, emit: (RTPUnit, UnsafeRawBufferPointer) -> Void
    ) {
        let verdict = order.check(header)
        counters.count(verdict)
        if case .units(let syntax) = content, decodingOrder != nil {
            return pushNumbered(header, verdict, in: bytes, syntax, emit: emit)
        }
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
        turn(to: header.timestamp, emit: emit)
        if isAfterGap, picture.unit == nil { nextFollowsLoss = true }
        if picture.unit == nil {
            begin(header.timestamp, withItsBeginning: beginsPicture(header.payload, of: bytes))
        }
        read(header.payload.clamped(to: 0..<bytes.count), of: bytes)
        // Parameter sets that arrive alone belong to the next picture.
        if header.hasMarker, fragment != nil || !picture.isPreface { finish(emit: emit) }
    }

    /// Delivers the incomplete picture, because the stream has ended.
    public mutating func flush(emit: (RTPUnit, UnsafeRawBufferPointer) -> Void) {
        if case .units(let syntax) = content { releaseUnits(syntax, isEnd: true, emit: emit) }
        finish(emit: emit)
    }

    /// Ends the picture if what follows has another time stamp.
    mutating func turn(to timestamp: UInt32, emit: (RTPUnit, UnsafeRawBufferPointer) -> Void) {
        guard let begun = picture.unit, begun.timestamp != timestamp else { return }
        dropFragment()
        if picture.isPreface { picture.moves(to: timestamp) } else { finish(emit: emit) }
    }

    mutating func begin(_ timestamp: UInt32, withItsBeginning hasBeginning: Bool) {
        var unit = RTPUnit(timestamp: timestamp)
        unit.mark = mark
        unit.followsLoss = nextFollowsLoss
        unit.isDiscontinuity = nextIsDiscontinuity
        let isCertain = counters.packets > 1 && !nextFollowsLoss && !nextIsDiscontinuity
        unit.isDamaged = !isCertain && !hasBeginning
        nextFollowsLoss = false
        nextIsDiscontinuity = false
        picture.begin(unit)
    }

    /// Packets are missing here. A NAL unit with a gap is dropped, and of a slice of MPEG video the rest.
    mutating func interrupt() {
        dropFragment()
        skipsSlice = true
        picture.isDamaged = true
    }

    mutating func dropFragment() {
        guard let fragment else { return }
        picture.truncate(to: fragment.start)
        picture.isDamaged = true
        self.fragment = nil
    }

    mutating func finish(emit: (RTPUnit, UnsafeRawBufferPointer) -> Void) {
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
            switch content {
            case .units(let syntax): try readUnits(from: &reader, syntax)
            case .video: try readVideo(from: &reader)
            }
        } catch {
            count(error)
            interrupt()
        }
    }

    mutating func count(_ error: WireError) {
        if case .unsupported = error.reason {
            counters.unsupportedPackets &+= 1
        } else {
            counters.malformedPackets &+= 1
        }
    }

    private func beginsPicture(_ payload: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Bool {
        var reader = WireReader(bytes, in: payload)
        // A packet that is cut short or empty begins no picture.
        return switch content {
        case .units(let syntax): (try? Self.beginsPicture(from: &reader, syntax)) ?? false
        case .video: (try? Self.beginsPicture(from: &reader)) ?? false
        }
    }
}
