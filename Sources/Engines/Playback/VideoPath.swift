// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import System
import Time
import Timelines

/// Coded pictures to pictures: those that wait for their turn, one decoder at a time, what it leaves out when it cannot
/// keep up, and how far damage reaches. The decode thread's own.
///
/// Pictures wait here for room in the frame queue, so that sound behind them in the stream need not.
final class VideoPath {
    /// Refused units without a picture between them after which the decoder is taken for broken.
    private static let mostErrors = 50
    private static let cores = Processors.count
    static let largestUnit = 4 << 20
    /// A second of 60 Mbit/s, and a unit.
    private static let capacity = 12 << 20

    private struct Waiting: BitwiseCopyable {
        let unit: AccessUnit
        let correlation: StreamCorrelation
        let codec: Codec
        /// Counts streams: another one has another decoder.
        let stream: Int
        /// It does not refer to what was before.
        let startsAnew: Bool
    }

    private unowned let loop: DecodeLoop
    private let waiting = RecordRing<Waiting>(capacity: capacity, largestRecord: largestUnit)

    // Where units come in.
    private var codec: Codec?
    private var stream = 0
    private var startsAnew = true
    /// A random-access point has come since the stream began or broke.
    private(set) var hasBegun = false

    // Where they are decoded.
    private var decodedStream = 0
    private var decoder: VideoDecoder?
    private var ladder = OverloadLadder(mayAddThreads: cores > 1)
    private var trail = DamageTrail()
    /// A random-access point has been decoded since the stream began or broke.
    private var isStarted = false
    /// The decoder has forgotten what the units behind refer to.
    private var continuesAtRandomAccess = false
    /// The decoder may have pictures that nobody has asked for.
    private var mayHavePictures = false
    private var isDraining = false
    /// The decoder will be made anew at the next random-access point.
    private var replacesDecoder = false
    private var threads = 1
    private var errorsInARow = 0
    private var reportedError = false
    private var lastPTS: Int64?
    /// At the last unit.
    private var correlation = StreamCorrelation(offset: .zero)
    /// From a picture to the next, 90 kHz ticks.
    private var span: Int64 = 3_600

    /// How long the decoder has worked since it gave a picture.
    private var decodingTime = Nanoseconds.zero
    /// Of recent pictures, per mille of their time.
    private var load: Int64 = 0

    init(_ loop: DecodeLoop) { self.loop = loop }

    /// Whether there are pictures to come.
    var hasStream: Bool { codec != nil }

    // MARK: In

    /// Another stream: what follows is its.
    func begin(_ codec: Codec?) {
        self.codec = codec
        stream += 1
        startAnew()
        loop.expectPictures()
    }

    /// What follows does not refer to what was before: begin again at a random-access point.
    func startAnew() {
        startsAnew = true
        hasBegun = false
    }

    /// What waits is of no use any more.
    func discard() {
        while waiting.take({ _, _ in }) {}
        startAnew()
        restartDecoding()
    }

    var hasRoom: Bool { waiting.room >= Self.largestUnit + 64 }

    /// - Parameter correlation: of the unit's time stamps and media time.
    func unitReceived(_ unit: AccessUnit, _ correlation: StreamCorrelation, _ bytes: UnsafeRawBufferPointer) {
        guard loop.isVisible, let codec else { return }
        if unit.isDamaged { loop.counters.damagedVideoUnits += 1 }
        guard hasBegun || unit.isRandomAccess && !unit.isDamaged else {
            loop.counters.unitsSkipped += 1
            return
        }
        hasBegun = true
        let entry = Waiting(
            unit: unit, correlation: correlation, codec: codec, stream: stream, startsAnew: startsAnew)
        startsAnew = false
        // Readers read when there is room: this one is larger than any.
        if !waiting.offer(entry, bytes) {
            loop.counters.unitsLeftOut += 1
            startAnew()
        }
    }

    // MARK: Decoding

    /// Decodes the unit whose turn it is, if there is room for pictures.
    /// - Returns: whether there was anything to do.
    func decodeNext() -> Bool {
        guard !loop.isFull else { return false }
        if mayHavePictures {
            attempt { () throws(CodecError) in try takePictures() }
            return true
        }
        return waiting.take { entry, bytes in decode(entry, bytes) }
    }

    /// No unit follows those that wait.
    /// - Returns: whether the last picture has been delivered.
    func drain() -> Bool {
        guard waiting.isEmpty else { return false }
        if !isDraining, decoder != nil {
            isDraining = true
            mayHavePictures = true
            attempt { () throws(CodecError) in try decoder?.drain() }
        }
        return !mayHavePictures
    }

    /// It hangs or errs: the next unit gets another one.
    func discardDecoder() {
        if decoder != nil { loop.counters.decoderRestarts += 1 }
        decoder = nil
        isStarted = false
        mayHavePictures = false
    }

    func playHeadMoved() { ladder.playHeadMoved() }

    /// A picture came so much later than it was due, or earlier.
    func pictureDecoded(lateness: Nanoseconds, at now: Monotonic) {
        loop.counters.decodeLoad = load
        guard ladder.pictureDecoded(lateness: lateness, load: load, at: now) else { return }
        loop.counters.ladderChanges += 1
        loop.counters.ladderStep = Int64(ladder.step.rawValue)
        decoder?.skip = skip
        if ladder.step == .randomAccessOnly { continuesAtRandomAccess = true }
        let wanted = ladder.step >= .anotherThread ? Self.cores : 1
        if wanted > threads {  // never back: another decoder costs a picture
            threads = wanted
            replacesDecoder = true
        }
    }

    private func restartDecoding() {
        decoder?.flush()
        isStarted = false
        mayHavePictures = false
        isDraining = false
        trail.reset()
        lastPTS = nil
        playHeadMoved()
    }

    private var skip: VideoDecoder.SkipLevel {
        switch ladder.step {
        case .everything, .anotherThread: .none
        case .noLoopFilter: .loopFilter
        case .noNonReference, .randomAccessOnly: .nonReference
        }
    }

    private func decode(_ entry: Waiting, _ bytes: UnsafeRawBufferPointer) {
        let unit = entry.unit
        if decodedStream != entry.stream {
            decoder = nil
            reportedError = false
            decodedStream = entry.stream
            restartDecoding()
        } else if entry.startsAnew {
            restartDecoding()
        }
        if unit.isDamaged { trail.unitDamaged() }
        if unit.isRandomAccess {
            ladder.randomAccessReached()
            if !unit.isDamaged { trail.randomAccessSent(pts: unit.pts) }
            if replacesDecoder { decoder = nil }
        }
        guard isStarted || unit.isRandomAccess && !unit.isDamaged else {
            loop.counters.unitsSkipped += 1
            return
        }
        if unit.isRandomAccess { continuesAtRandomAccess = false }
        guard !ladder.skipsToRandomAccess, !continuesAtRandomAccess else {
            loop.counters.unitsLeftOut += 1
            return
        }
        correlation = entry.correlation
        attempt { () throws(CodecError) in try decode(unit, as: entry.codec, bytes) }
    }

    private func decode(
        _ unit: AccessUnit, as codec: Codec, _ bytes: UnsafeRawBufferPointer
    ) throws(CodecError) {
        if decoder == nil {
            replacesDecoder = false
            isDraining = false
            decoder = try VideoDecoder(codec, threads: threads)
            decoder?.skip = skip
            loop.counters.decoderStarts += 1
        }
        if !isStarted {
            if let frame = try decoder?.firstPicture(of: unit, bytes), !frame.isDamaged {
                let time = correlation.time(of: frame.pts)
                loop.showAtOnce(frame, time: time)
            }
            isStarted = true
        }
        loop.counters.videoOctets += Int64(bytes.count)
        let sentAt = SystemClock.monotonic()
        if ladder.step == .randomAccessOnly {
            // A decoder that is given nothing else would keep each picture until the next one comes.
            continuesAtRandomAccess = true
            guard let frame = try decoder?.firstPicture(of: unit, bytes) else { return }
            noteDecodingTime(since: sentAt)
            deliver(frame)
            return
        }
        mayHavePictures = true
        try decoder?.send(unit, bytes)
        decodingTime = decodingTime + (SystemClock.monotonic() - sentAt)
        try takePictures()
    }

    private func takePictures() throws(CodecError) {
        var busySince = SystemClock.monotonic()
        guard !loop.isFull else { return }
        mayHavePictures = false
        while let frame = try decoder?.receive() {
            noteDecodingTime(since: busySince)
            deliver(frame)
            if loop.isFull {
                mayHavePictures = true
                return
            }
            busySince = SystemClock.monotonic()
        }
        decodingTime = decodingTime + (SystemClock.monotonic() - busySince)
    }

    private func deliver(_ frame: consuming VideoFrame) {
        errorsInARow = 0
        loop.counters.framesDecoded += 1
        if frame.isDamaged { loop.counters.damagedFrames += 1 }
        if let last = lastPTS, (450...90_000).contains(frame.pts - last) { span = frame.pts - last }
        lastPTS = frame.pts
        let isDamaged = trail.pictureDecoded(pts: frame.pts, isDamaged: frame.isDamaged)
        let time = correlation.time(of: frame.pts)
        loop.pictureDecoded(frame, time: time, span: TickRate.mpeg.nanoseconds(span), isDamaged: isDamaged)
    }

    /// What the decoder took since the picture before, against a picture's time.
    private func noteDecodingTime(since busySince: Monotonic) {
        let taken = decodingTime + (SystemClock.monotonic() - busySince)
        decodingTime = .zero
        let sample = min(taken.count * 1_000 / max(1, TickRate.mpeg.nanoseconds(span).count), 4_000)
        load += (sample - load) / 16
    }

    private func attempt(_ body: () throws(CodecError) -> Void) {
        do throws(CodecError) {
            try body()
        } catch {
            failed(error)
        }
    }

    private func failed(_ error: CodecError) {
        mayHavePictures = false
        loop.counters.decodeErrors += 1
        errorsInARow += 1
        if !error.isOfData, !reportedError {
            reportedError = true
            loop.session.report(
                .streamUnsupported(session: loop.session.id, what: "\(codec?.rawValue ?? "video"): \(error)"))
        }
        if errorsInARow >= Self.mostErrors {
            errorsInARow = 0
            discardDecoder()
        }
    }
}
