// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Assembles coded pictures from the packets of one PID, wherever PES packets divide them. The buffer grows to the
/// longest picture and is then reused.
///
/// A picture is complete when the next one begins. In a stream whose PES packets begin with pictures, it is also
/// complete at the end of a PES packet that announced its length. In a slide show nothing follows for a while: whoever
/// has the time says so. The time stamps of a PES packet are those of the
/// first picture that begins in it (ISO/IEC 13818-1 2.4.3.7).
struct PictureAssembler: Sendable {
    /// Octets of the longest picture that is kept; a longer one is dropped completely.
    let limit: Int
    private(set) var counters = AssemblyCounters()

    /// Number of consecutive PES packets that must begin with a picture, after one that did not, until the end of a PES
    /// packet ends a picture again.
    private static let distrust = 16

    private var boundaries: PictureBoundaries
    private var parameterSets: PictureContent.ParameterSets = []
    private var head = PESHead()
    /// The octets from the beginning of the current picture. Without one, the last octets, which may be part of a start
    /// code.
    private var buffer: [UInt8] = []
    private var isBegun = false
    /// The description of the current picture.
    private var unit = PESUnit(streamID: 0xE0)
    /// Offset at which the search for a start code continues.
    private var searched = 0
    /// Offsets at which the data of the PES packet and of the transport packet begin; below 0 when the beginning has
    /// left the buffer.
    private var packetStart = 0
    private var pieceStart = 0
    /// Time stamps for the next picture in the current PES packet, and for a picture whose start code began in the
    /// previous PES packet.
    private var time = PESUnit(streamID: 0xE0)
    private var timeBefore = PESUnit(streamID: 0xE0)
    private var mark: UInt64 = 0
    private var markBefore: UInt64 = 0
    /// Whether no start code of the PES packet has been found yet.
    private var isFirstCode = false
    /// 0 if PES packets begin with pictures; -n if n more consecutive ones must do so first.
    private var alignment = -2
    private var nextIsDiscontinuity = false

    init(_ codec: StreamCodec = .h264, limit: Int) {
        boundaries = PictureBoundaries(codec)
        self.limit = limit
    }

    /// Octets of the incomplete picture.
    var bufferedOctets: Int { buffer.count }

    /// Octets of a picture that has begun, of which no PES packet has announced more; 0 if there is none.
    var openOctets: Int { isBegun && !head.isCutShort ? buffer.count : 0 }

    /// Whether all has come that the PES packet announced.
    var isAtEnd: Bool { head.isAtEnd }

    /// Starts afresh with another stream; counters and memory stay.
    mutating func reset(_ codec: StreamCodec) {
        boundaries = PictureBoundaries(codec)
        parameterSets = []
        alignment = -2
        nextIsDiscontinuity = false
        head.forget()
        forget()
    }

    /// - Parameter lost: whether packets are missing before this one.
    /// - Parameter mark: a value of the caller that is returned with the pictures that begin in this packet.
    /// - Parameter emit: called with each complete picture and its bytes, which are valid only during the call.
    mutating func push(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, lost: Bool, mark: UInt64,
        emit: (PESUnit, UnsafeRawBufferPointer) -> Void
    ) {
        if lost { interrupt() }
        if packet.isDiscontinuity { nextIsDiscontinuity = true }
        guard packet.hasPayload else { return }
        var payload = packet.payload.clamped(to: 0..<bytes.count)
        if packet.startsUnit {
            if head.isCutShort { interrupt() }
            head.begin()
        }
        if head.isReading {
            payload = head.read(payload, of: bytes)
            switch head.verdict {
            case .incomplete, .foreign: return
            case .malformed: refuse { $0.malformedUnits &+= 1 }
            case .scrambled: refuse { $0.scrambledUnits &+= 1 }
            case .complete(let header): begin(header)
            }
        }
        let taken = head.take(payload, of: bytes)
        payload = taken.data
        guard !payload.isEmpty else { return }
        if taken.isSurplus { alignment = -PictureAssembler.distrust }
        markBefore = self.mark
        self.mark = mark
        pieceStart = buffer.count
        buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[payload]))
        search(isEnd: false, emit: emit)
        if head.isAtEnd {
            judgeUnseenStart()
            if alignment >= 0 { finish(emit: emit) }
        }
        bound()
    }

    /// Emits the current picture, because nothing has come behind it for a while.
    mutating func complete(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        guard openOctets > 0 else { return }
        search(isEnd: true, emit: emit)
        unit.isAlone = true
        deliver(buffer.count, emit: emit)
        forget()
    }

    /// Emits the current picture, because the stream has ended or another one follows.
    mutating func flush(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        if head.isCutShort { interrupt() }
        head.forget()
        finish(emit: emit)
    }

    /// Octets are missing here.
    private mutating func interrupt() {
        unit.isDamaged = isBegun
        searched = buffer.count  // a start code does not span the gap
        time = PESUnit(streamID: 0xE0)
        timeBefore = time
        head.interrupt()
    }

    private mutating func refuse(_ count: (inout AssemblyCounters) -> Void) {
        count(&counters)
        interrupt()
    }

    private mutating func begin(_ header: PESHeader) {
        judgeUnseenStart()
        timeBefore = time
        time = PESUnit(header, isDiscontinuity: nextIsDiscontinuity)
        if header.isDisordered { counters.disorderedTimes &+= 1 }
        nextIsDiscontinuity = false
        packetStart = buffer.count
        isFirstCode = true
    }

    private mutating func search(isEnd: Bool, emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        while true {
            let from = searched
            let count = buffer.count
            let code = buffer.withUnsafeBytes { StartCode.offset(in: $0, from: from) }
            guard code + 3 < count, isEnd || code + 3 + PictureBoundaries.lookahead <= count else {
                searched = max(from, min(code, count - 2))
                return
            }
            searched = code + 3
            let isFirst = isFirstCode && code >= packetStart
            var judge = boundaries
            let begins = buffer.withUnsafeBytes { judge.begins(at: code, in: $0, isFirst: isFirst) }
            boundaries = judge
            if isFirst { judgeAlignment(begins: begins, at: code) }
            if begins { cut(at: code, emit: emit) }
        }
    }

    /// A PES packet without a start code is the middle of a picture.
    private mutating func judgeUnseenStart() {
        if isFirstCode, buffer.count > packetStart { alignment = -PictureAssembler.distrust }
        isFirstCode = false
    }

    private mutating func judgeAlignment(begins: Bool, at code: Int) {
        isFirstCode = false
        let isAtStart = packetStart >= 0 && buffer[packetStart..<code].allSatisfy { $0 == 0 }
        alignment = begins && isAtStart ? min(alignment + 1, 0) : -PictureAssembler.distrust
    }

    /// Emits the picture before the start code and begins the picture at it.
    private mutating func cut(at code: Int, emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        let hasZero = boundaries.hasZeroBefore && code > 0 && code != packetStart && buffer[code - 1] == 0
        let place = hasZero ? code - 1 : code
        deliver(place, emit: emit)
        unit = code >= packetStart ? time : timeBefore
        unit.mark = code >= pieceStart ? mark : markBefore
        if code >= packetStart { time = PESUnit(streamID: time.streamID, isDataAligned: time.isDataAligned) }
        timeBefore = PESUnit(streamID: time.streamID, isDataAligned: time.isDataAligned)
        isBegun = true
        drop(place)
    }

    private mutating func finish(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        search(isEnd: true, emit: emit)
        deliver(buffer.count, emit: emit)
        forget()
    }

    /// Emits the first `count` octets, which are the current picture.
    private mutating func deliver(_ count: Int, emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        guard isBegun else { return }
        guard count <= limit else {
            counters.oversizedUnits &+= 1
            return
        }
        if unit.isDamaged { counters.damagedUnits &+= 1 }
        var picture = unit
        var known = parameterSets
        let codec = boundaries.codec
        buffer.withUnsafeBytes { bytes in
            let data = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            let content = PictureContent(codec, data)
            known.formUnion(content.parameterSets)
            picture.hasParameterSets = PictureContent.areComplete(known, for: codec)
            picture.bringsParameterSets = PictureContent.areComplete(content.parameterSets, for: codec)
            picture.recovery = content.recovery(codec, known: known)
            picture.isRandomAccess = picture.recovery == 0
            emit(picture, data)
        }
        parameterSets = known
    }

    /// Drops a picture above the limit, and octets that belong to no picture.
    private mutating func bound() {
        if isBegun, buffer.count > limit + 3 + PictureBoundaries.lookahead {
            counters.oversizedUnits &+= 1
            isBegun = false
        }
        if !isBegun, searched > 1 { drop(searched - 1) }  // keeps the zero that may precede a start code
    }

    private mutating func drop(_ count: Int) {
        buffer.removeFirst(count)
        searched -= count
        packetStart -= count
        pieceStart -= count
    }

    private mutating func forget() {
        buffer.removeAll(keepingCapacity: true)
        isBegun = false
        searched = 0
        packetStart = 0
        pieceStart = 0
        isFirstCode = false
        boundaries.reset()
    }
}
