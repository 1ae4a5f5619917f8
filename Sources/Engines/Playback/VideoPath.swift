// SPDX-License-Identifier: Apache-2.0
import Codecs
import Media
import System
import Time
import Timelines

/// Coded pictures to pictures: one decoder at a time, what it leaves out when it cannot keep up, and how far damage
/// reaches. The decode thread's own.
final class VideoPath {
    /// Refused units without a picture between them after which the decoder is taken for broken.
    private static let mostErrors = 50
    private static let cores = Processors.count

    private unowned let loop: DecodeLoop
    private var decoder: VideoDecoder?
    private var codec: Codec?
    private var ladder = OverloadLadder(mayAddThreads: cores > 1)
    private var trail = DamageTrail()
    /// A random-access point has been decoded since the stream began or broke.
    private(set) var isStarted = false
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

    /// Since when the decoder works, and how long it has worked since it gave a picture.
    private var busySince = Monotonic(nanoseconds: 0)
    private var decodingTime = Nanoseconds.zero
    /// Of recent pictures, per mille of their time.
    private var load: Int64 = 0

    init(_ loop: DecodeLoop) { self.loop = loop }

    /// Whether there are pictures to come.
    var hasStream: Bool { codec != nil }

    /// Another stream: nothing of before is of use.
    func begin(_ codec: Codec?) {
        self.codec = codec
        decoder = nil
        reportedError = false
        restart()
        loop.expectPictures()
    }

    /// What follows does not refer to what was before: begin again at a random-access point.
    func restart() {
        decoder?.flush()
        isStarted = false
        trail.reset()
        lastPTS = nil
        playHeadMoved()
    }

    /// It hangs or errs: the next unit gets another one.
    func discardDecoder() {
        if decoder != nil { loop.counters.decoderRestarts += 1 }
        decoder = nil
        isStarted = false
    }

    func playHeadMoved() { ladder.playHeadMoved() }

    /// - Parameter correlation: of the unit's time stamps and media time.
    func unitReceived(_ unit: AccessUnit, _ correlation: StreamCorrelation, _ bytes: UnsafeRawBufferPointer) {
        guard loop.isVisible, !loop.isInterrupted, let codec else { return }
        if unit.isDamaged {
            loop.counters.damagedVideoUnits += 1
            trail.unitDamaged()
        }
        if unit.isRandomAccess {
            ladder.randomAccessReached()
            if !unit.isDamaged { trail.randomAccessSent(pts: unit.pts) }
            if replacesDecoder { decoder = nil }
        }
        guard isStarted || unit.isRandomAccess && !unit.isDamaged else {
            loop.counters.unitsSkipped += 1
            return
        }
        guard !ladder.skipsToRandomAccess else {
            loop.counters.unitsLeftOut += 1
            return
        }
        do throws(CodecError) {
            self.correlation = correlation
            try decode(unit, as: codec, bytes)
        } catch {
            failed(error)
        }
    }

    /// No unit follows.
    func drain() {
        do throws(CodecError) {
            try decoder?.drain()
            try takePictures()
        } catch {
            loop.counters.decodeErrors += 1
        }
    }

    /// A picture came so much later than it was due, or earlier.
    func pictureDecoded(lateness: Nanoseconds, at now: Monotonic) {
        loop.counters.decodeLoad = load
        guard ladder.pictureDecoded(lateness: lateness, load: load, at: now) else { return }
        loop.counters.ladderChanges += 1
        loop.counters.ladderStep = Int64(ladder.step.rawValue)
        decoder?.skip = skip
        let wanted = ladder.step >= .anotherThread ? Self.cores : 1
        if wanted > threads {  // never back: another decoder costs a picture
            threads = wanted
            replacesDecoder = true
        }
    }

    private var skip: VideoDecoder.SkipLevel {
        switch ladder.step {
        case .everything, .anotherThread: .none
        case .noLoopFilter: .loopFilter
        case .noNonReference: .nonReference
        case .randomAccessOnly: .nonKey
        }
    }

    private func decode(
        _ unit: AccessUnit, as codec: Codec, _ bytes: UnsafeRawBufferPointer
    ) throws(CodecError) {
        if decoder == nil {
            replacesDecoder = false
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
        busySince = SystemClock.monotonic()
        try decoder?.send(unit, bytes)
        try takePictures()
    }

    private func takePictures() throws(CodecError) {
        while let frame = try decoder?.receive() {
            noteDecodingTime()
            errorsInARow = 0
            loop.counters.framesDecoded += 1
            if frame.isDamaged { loop.counters.damagedFrames += 1 }
            if let last = lastPTS, (450...90_000).contains(frame.pts - last) { span = frame.pts - last }
            lastPTS = frame.pts
            let isDamaged = trail.pictureDecoded(pts: frame.pts, isDamaged: frame.isDamaged)
            let time = correlation.time(of: frame.pts)
            loop.pictureDecoded(frame, time: time, span: TickRate.mpeg.nanoseconds(span), isDamaged: isDamaged)
            busySince = SystemClock.monotonic()  // it may have waited for room
        }
        decodingTime = decodingTime + (SystemClock.monotonic() - busySince)
    }

    /// What the decoder took since the picture before, against a picture's time.
    private func noteDecodingTime() {
        let taken = decodingTime + (SystemClock.monotonic() - busySince)
        decodingTime = .zero
        let sample = min(taken.count * 1_000 / max(1, TickRate.mpeg.nanoseconds(span).count), 4_000)
        load += (sample - load) / 16
    }

    private func failed(_ error: CodecError) {
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
