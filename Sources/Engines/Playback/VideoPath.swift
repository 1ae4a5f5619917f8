// SPDX-License-Identifier: Apache-2.0
import Buffers
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
    /// So long a device is waited for before units and stages are looked after again.
    private static let glance = Nanoseconds.milliseconds(10)

    private unowned let loop: DecodeLoop
    private let pictures: CodedPictures
    /// See `CodedPictures`.
    private var generation = 0
    private var begun: Int?
    private var restartsSeen = 0
    private var decodedStream = 0
    private var codec: Codec?
    private let decoder: LadderDecoder
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
    private var errorsInARow = 0
    private var reportedError = false
    private var lastPTS: Int64?
    /// Of the random-access point decoded last.
    private var randomAccessPTS: Int64?
    /// At the last unit.
    private var correlation = StreamCorrelation(offset: .zero)
    /// From a picture to the next, 90 kHz ticks.
    private var span: Int64 = 3_600

    /// How long the decoder has worked since it gave a picture.
    private var decodingTime = Nanoseconds.zero
    /// Of recent pictures, per mille of their time.
    private var load: Int64 = 0

    init(_ loop: DecodeLoop) {
        self.loop = loop
        pictures = loop.session.pictures
        let options = loop.session.options
        decoder = LadderDecoder(options.decoders, options.decoding) { [unowned loop] in loop.decoderOpened($0) }
    }

    /// Decodes the unit whose turn it is, if there is room for pictures.
    /// - Returns: whether there was anything to do.
    func decodeNext() -> Bool {
        begin(pictures.generation)
        if restartsSeen != pictures.decoderRestarts {
            restartsSeen = pictures.decoderRestarts
            discardDecoder()
        }
        guard !loop.isFull else { return false }
        if mayHavePictures {
            attempt { () throws(CodecError) in try takePictures() }
            return true
        }
        guard decoder.hasRoom else { return awaitPictures() }
        return pictures.take { entry, bytes in decode(entry, bytes) } || drain() || awaitPictures()
    }

    /// Of a decoder that gives them in its own time.
    /// - Returns: whether there may be pictures.
    private func awaitPictures() -> Bool {
        guard decoder.isBusy || !decoder.hasRoom else { return false }
        mayHavePictures = true
        attempt { () throws(CodecError) in try decoder.wait(atMost: Self.glance) }
        return true
    }

    /// What was read before a jump is of no use any more.
    private func begin(_ new: Int) {
        guard new != generation else { return }
        generation = new
        restartDecoding()
    }

    /// No unit follows those that have been decoded, maybe: then the decoder gives what it has kept.
    /// - Returns: whether there may be pictures.
    private func drain() -> Bool {
        guard pictures.hasEnded(generation), pictures.isEmpty else { return false }
        if !isDraining, decoder.isOpen {
            isDraining = true
            mayHavePictures = true
            attempt { () throws(CodecError) in try decoder.drain() }
            return true
        }
        if isDraining, !decoder.isDrained { return awaitPictures() }
        pictures.finish(generation, picturesEnd: begun == generation ? loop.picturesEnd : nil)
        return false
    }

    private func discardDecoder() {
        if decoder.isOpen { loop.counters.decoderRestarts += 1 }
        decoder.giveUp()
        isStarted = false
        mayHavePictures = false
    }

    func playHeadMoved() { ladder.playHeadMoved() }

    /// A picture came so much later than it was due, or earlier.
    /// - Returns: whether it is to be shown.
    func isWanted(lateness: Nanoseconds, isPoint: Bool, at now: Monotonic) -> Bool {
        loop.counters.decodeLoad = load
        if ladder.pictureDecoded(lateness: lateness, load: load, at: now) { climb() }
        return isPoint || !ladder.isTooLate(lateness)
    }

    private func climb() {
        loop.counters.ladderChanges += 1
        loop.counters.ladderStep = Int64(ladder.step.rawValue)
        decoder.skip = skip
        if ladder.step == .randomAccessOnly { continuesAtRandomAccess = true }
        let wanted = ladder.step >= .anotherThread ? Self.cores : 1
        if wanted > decoder.threads {  // never back: another decoder costs a picture
            decoder.threads = wanted
            replacesDecoder = true
        }
    }

    private func restartDecoding() {
        decoder.flush()
        isStarted = false
        mayHavePictures = false
        isDraining = false
        trail.reset()
        lastPTS = nil
        ladder.decodingRestarted()
    }

    private var skip: VideoDecoder.SkipLevel {
        switch ladder.step {
        case .everything, .anotherThread: .none
        case .noLoopFilter: .loopFilter
        case .noNonReference, .randomAccessOnly: .nonReference
        }
    }

    private func decode(_ entry: CodedPictures.Entry, _ bytes: UnsafeRawBufferPointer) {
        let unit = entry.unit
        guard entry.generation >= generation else { return }
        begin(entry.generation)
        if begun != generation {
            begun = generation
            loop.begin(entry)
        }
        if decodedStream != entry.stream {
            decoder.begin(entry.codec)
            reportedError = false
            decodedStream = entry.stream
            restartDecoding()
        } else if entry.startsAnew {
            restartDecoding()
        }
        if unit.isDamaged { trail.unitDamaged() }
        guard isStarted || unit.isRandomAccess && !unit.isDamaged else {
            loop.counters.unitsSkipped += 1
            return
        }
        guard isWorthDecoding(entry) else {
            loop.counters.unitsLeftOut += 1
            return
        }
        if unit.isRandomAccess {
            randomAccessPTS = unit.pts
            if !unit.isDamaged { trail.randomAccessSent(pts: unit.pts) }
            if replacesDecoder, decoder.isSynchronous { decoder.close() }
            replacesDecoder = false
        }
        correlation = entry.correlation
        codec = entry.codec
        attempt { () throws(CodecError) in try decode(unit, bytes) }
    }

    private func isWorthDecoding(_ entry: CodedPictures.Entry) -> Bool {
        let lateness = loop.lateness(of: entry.correlation.time(of: entry.unit.pts)) ?? .zero
        guard entry.unit.isRandomAccess else {
            return ladder.isWorthDecoding(lateness: lateness) && !continuesAtRandomAccess
        }
        guard ladder.beginsAtRandomAccess(lateness: lateness, isNewest: entry.point == pictures.newestPoint) else {
            return false
        }
        continuesAtRandomAccess = false
        return true
    }

    private func decode(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        isDraining = false
        if !isStarted {
            if let frame = try decoder.firstPicture(of: unit, bytes), !frame.isDamaged {
                let time = correlation.time(of: frame.pts)
                loop.showAtOnce(frame, time: time)
            }
            isStarted = true
        }
        loop.counters.videoOctets += Int64(bytes.count)
        let sentAt = loop.clock()
        if ladder.step == .randomAccessOnly {
            // A decoder that is given nothing else would keep each picture until the next one comes.
            continuesAtRandomAccess = true
            if decoder.isSynchronous {
                guard let frame = try decoder.firstPicture(of: unit, bytes) else { return }
                noteDecodingTime(since: sentAt)
                deliver(frame)
                return
            }
        }
        mayHavePictures = true
        try decoder.send(unit, bytes)
        decodingTime = decodingTime + (loop.clock() - sentAt)
        try takePictures()
    }

    private func takePictures() throws(CodecError) {
        var busySince = loop.clock()
        guard !loop.isFull else { return }
        mayHavePictures = false
        while let frame = try decoder.receive() {
            noteDecodingTime(since: busySince)
            deliver(frame)
            if loop.isFull {
                mayHavePictures = true
                return
            }
            busySince = loop.clock()
        }
        decodingTime = decodingTime + (loop.clock() - busySince)
    }

    private func deliver(_ frame: consuming VideoFrame) {
        errorsInARow = 0
        loop.counters.framesDecoded += 1
        if frame.isDamaged { loop.counters.damagedFrames += 1 }
        if let last = lastPTS, (450...90_000).contains(frame.pts - last) { span = frame.pts - last }
        lastPTS = frame.pts
        let isDamaged = trail.pictureDecoded(pts: frame.pts, isDamaged: frame.isDamaged)
        let (time, isPoint) = (correlation.time(of: frame.pts), frame.pts == randomAccessPTS)
        loop.pictureDecoded(
            frame, time: time, span: TickRate.mpeg.nanoseconds(span), isDamaged: isDamaged, isPoint: isPoint)
    }

    /// What the decoder took since the picture before, against a picture's time.
    private func noteDecodingTime(since busySince: Monotonic) {
        let taken = decodingTime + (loop.clock() - busySince)
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
                .streamUnsupported(session: loop.session.id, what: "\(codec.map(\.rawValue) ?? "video"): \(error)"))
        }
        if errorsInARow >= Self.mostErrors {
            errorsInARow = 0
            discardDecoder()
        }
    }
}
