// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import System
import Time
import Timelines
import TransportStream

/// Decodes coded pictures. It holds one decoder at a time, the overload ladder that decides what is left out, and the
/// tracking of error propagation.
/// - Thread: the decode thread.
final class VideoPath {
    /// What is done with the units that come.
    enum Phase {
        /// Nothing has been decoded since the stream began or broke. Units are skipped up to one that the gate lets in.
        case awaitsPoint
        case decodes
        /// The decoder lacks the references of the units that follow. They are left out up to a random-access point.
        case leavesGroupOut
        /// No unit follows, and the decoder outputs the pictures that it has kept.
        case drains
    }

    /// The stream that is being decoded.
    private struct Stream {
        let number: Int
        let codec: Codec
        /// Whether it has been reported that nothing decodes it.
        var isReportedUnsupported = false
    }

    /// The decoder counts as broken after this many refused units without a picture between them.
    private static let mostErrors = 50
    static let cores = Processors.count
    /// How long to wait for a device before looking for units and for room at the stage again.
    private static let glance = Nanoseconds.milliseconds(10)

    /// Counts since the session was opened.
    var counters: DecodingCounters
    private let session: Int
    private let run: DecodingRun
    let pictures: CodedPictures
    let outlet: PictureOutlet
    private let options: PlaybackSession.Options
    private let report: @Sendable (PlaybackReport) -> Void
    let clock: () -> Monotonic
    lazy var decoder = LadderDecoder(
        options.decoders, options.decoding, avoiding: run.hungDevices, opens: { [run] in run.device.set($0) }
    ) { [unowned self] opening in
        decoderOpened(opening)
    }
    var phase = Phase.awaitsPoint
    private var stream: Stream?
    /// See `CodedPictures`.
    private var generation = 0
    /// The generation of the last unit taken; nil before the first.
    private var begunGeneration: Int?
    private var lastOpening: LadderDecoder.Opening?
    var ladder = OverloadLadder(mayAddThreads: cores > 1)
    private var trail = ErrorPropagation()
    private var silence = DecoderSilence()
    private var gate = EntryGate()
    /// A decoder that was replaced may begin behind them.
    private var sent = SentParameterSets()
    /// Whether the last call of `decodeNext` had something to do.
    private var isInRun = false
    /// Whether the decoder may have pictures that have not been asked for.
    private var mayHavePictures = false
    /// Whether the last unit was alone, or none has been decoded.
    private var wasAlone = true
    /// Time of a picture that was delivered before its decoder output it in its turn; nil if it has.
    private var deliveredAhead: Int64?
    private var times = PresentationTimes()
    /// Units that the decoder has taken since it output a picture.
    private var unitsSincePicture: Int64 = 0
    private var errorsInARow = 0
    private var lastPTS: Int64?
    /// Presentation time of the last random-access point decoded; nil before the first.
    private var randomAccessPTS: Int64?
    /// The correlation of the last unit decoded.
    private var correlation = StreamCorrelation(offset: .zero)
    /// The time from one picture to the next, in ticks of 90 kHz.
    var span: Int64 = 3_600
    /// How long the decoder has worked since it output a picture.
    var decodingTime = Nanoseconds.zero
    /// Decoding time of recent pictures, per mille of their time.
    var load: Int64 = 0

    /// - Parameter clock: reads the time by which pictures are due and decoding is measured.
    init(_ session: PlaybackSession, _ run: DecodingRun, clock: @escaping () -> Monotonic) {
        self.session = session.id
        self.run = run
        counters = run.counted
        pictures = run.pictures
        outlet = PictureOutlet(session, run.pictures, clock: clock)
        options = session.options
        report = session.report
        self.clock = clock
    }

    /// Decodes the next unit if there is room for pictures.
    /// - Returns: whether there was anything to do.
    func decodeNext() -> Bool {
        isInRun = goOn()
        return isInRun
    }

    private func goOn() -> Bool {
        begin(pictures.generation)
        let goesOn = isInRun && outlet.hasRoom(for: 1)
        guard goesOn || outlet.hasRoom(for: roomForRun) else {
            silence.end()
            return false
        }
        if mayHavePictures {
            attempt { () throws(CodecError) in try takePictures() }
            return true
        }
        guard decoder.hasRoom else {
            endSilence()
            return awaitPictures()
        }
        return pictures.take { entry, bytes in decode(entry, bytes) } || drain() || awaitPictures()
    }

    /// Waits for a decoder that outputs pictures asynchronously.
    /// - Returns: whether there may be pictures.
    private func awaitPictures() -> Bool {
        guard decoder.isBusy || !decoder.hasRoom else { return false }
        mayHavePictures = true
        attempt { () throws(CodecError) in try decoder.wait(atMost: Self.glance) }
        return true
    }

    /// A new generation begins; units of the one before are of no use.
    private func begin(_ new: Int) {
        guard new != generation else { return }
        generation = new
        restartDecoding()
    }

    /// When no further unit follows, the decoder outputs the pictures that it has kept.
    /// - Returns: whether there may be pictures.
    private func drain() -> Bool {
        guard pictures.hasEnded(generation), pictures.isEmpty else { return false }
        if case .drains = phase {
            if !decoder.isDrained { return awaitPictures() }
        } else if decoder.isOpen {
            phase = .drains
            mayHavePictures = true
            attempt { () throws(CodecError) in try decoder.drain() }
            return true
        }
        pictures.finish(generation, picturesEnd: begunGeneration == generation ? outlet.picturesEnd : nil)
        return false
    }

    /// Replaces a decoder that outputs nothing but errors, or nothing at all. libavcodec is opened again at the next
    /// random-access point; behind a device the next decoder starts at the last one.
    private func replaceDecoder(_ fault: DecoderFault) {
        if decoder.isOpen { counters.decoderRestarts += 1 }
        if decoder.isSynchronous {
            phase = .awaitsPoint
            gate.reset()
        }
        mayHavePictures = !decoder.isSynchronous
        attempt { () throws(CodecError) in try decoder.giveUp(fault) }
    }

    /// Replaces a decoder that takes units and outputs nothing (PLAY-45).
    private func endSilence() {
        guard silence.isTooLong(at: clock(), isFull: !decoder.hasRoom) else { return }
        if decoder.isSynchronous, !decoder.showsAll {
            // It may withhold pictures that never become right.
            decoder.showsAll = true
            return silence.end()
        }
        let units = silence.units
        silence.decoderReplaced(isLast: decoder.isSynchronous)
        replaceDecoder(.fruitless(units: units))
    }

    /// Another decoder was opened for the stream, or none could be.
    private func decoderOpened(_ opening: LadderDecoder.Opening) {
        guard holdsSession else { return }
        if opening.tier == .software { run.device.set(nil) }
        if opening.tier != .none { counters.decoderStarts += 1 }
        counters.decoderTier = opening.tier.number
        guard opening != lastOpening else { return }
        lastOpening = opening
        report(.decoderChanged(session: session, opening))
    }

    private func restartDecoding() {
        decoder.flush()
        gate.reset()
        phase = .awaitsPoint
        mayHavePictures = false
        trail.reset()
        lastPTS = nil
        (wasAlone, deliveredAhead, times, unitsSincePicture) = (true, nil, PresentationTimes(), 0)
        ladder.decodingRestarted()
    }

    private func decode(_ entry: CodedPictures.Entry, _ bytes: UnsafeRawBufferPointer) {
        let unit = entry.unit
        guard entry.generation >= generation else { return }
        begin(entry.generation)
        if begunGeneration != generation {
            begunGeneration = generation
            outlet.begin(entry)
        }
        if stream?.number != entry.stream {
            decoder.begin(entry.codec)
            stream = Stream(number: entry.stream, codec: entry.codec)
            sent.forget()
            restartDecoding()
        } else if entry.startsAnew || beginsAnew(with: entry) {
            restartDecoding()
        }
        if unit.isDamaged { trail.unitDamaged() }
        if unit.bringsParameterSets { sent.keep(entry.codec, of: bytes) }
        let goesOn = isDecoding
        guard begins(with: entry) else {
            counters.unitsSkipped += 1
            if !unit.hasParameterSets { counters.unitsWithoutParameterSets += 1 }
            return
        }
        guard isWorthDecoding(entry) else {
            counters.unitsLeftOut += 1
            return
        }
        if unit.isRandomAccess {
            randomAccessPTS = unit.pts
            if decoder.isOutdated { decoder.close() }
        }
        if !unit.isDamaged { trail.unitSent(pts: unit.pts, recovery: unit.recovery) }
        correlation = entry.correlation
        guard !goesOn, !unit.bringsParameterSets else {
            return attempt { () throws(CodecError) in try decode(unit, bytes) }
        }
        sent.before(bytes).withUnsafeBytes { whole in
            attempt { () throws(CodecError) in try decode(unit, whole) }
        }
    }

    private var isDecoding: Bool {
        switch phase {
        case .decodes, .leavesGroupOut: true
        case .awaitsPoint, .drains: false
        }
    }

    /// - Returns: whether the unit is decoded. The read thread has judged the first unit of a sequence already.
    private func begins(with entry: CodedPictures.Entry) -> Bool {
        guard !isDecoding else { return true }
        let begun = entry.startsAnew ? DecodingEntry(entry.unit) : gate.entry(with: entry.unit, at: clock())
        guard let begun else { return false }
        decoder.showsAll = begun == .anywhere
        switch begun {
        case .point: break
        case .recovery(let pictures): silence.begin(withholding: pictures)
        case .anywhere: trail.unitDamaged()
        }
        return true
    }

    private func decode(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        if case .awaitsPoint = phase, unit.isRandomAccess, outlet.awaitsFirst,
            let frame = try decoder.firstPicture(of: unit, bytes), !frame.isDamaged, holdsSession
        {
            let time = correlation.time(of: frame.pts)
            outlet.putFirst(frame, at: time)
        }
        phase = .decodes
        counters.videoOctets += Int64(bytes.count)
        let sentAt = clock()
        if ladder.step == .randomAccessOnly {
            // A decoder that is given nothing else would keep each picture until the next one comes.
            leaveGroupOut()
            if decoder.isSynchronous {
                guard let frame = try decoder.firstPicture(of: unit, bytes) else { return }
                noteDecodingTime(since: sentAt)
                deliver(frame)
                return
            }
        }
        try deliverAlone(unit, bytes)
        mayHavePictures = true
        if !unit.hasTimes { times.sent(estimate: unit.pts) }
        try decoder.send(unit, bytes)
        unitsSincePicture += 1
        decodingTime = decodingTime + (clock() - sentAt)
        silence.unitSent(at: sentAt)
        try takePictures()
        endSilence()
    }

    /// A decoder keeps a picture until the next one comes. In a slide show that would be one picture too late.
    private func deliverAlone(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        defer { wasAlone = unit.isAlone }
        // What it keeps of moving pictures would be lost.
        guard unit.isAlone, wasAlone, unit.isRandomAccess, decoder.isSynchronous,
            let frame = try decoder.firstPicture(of: unit, bytes)
        else { return }
        let time = frame.pts
        deliver(frame)
        deliveredAhead = time
    }

    private func takePictures() throws(CodecError) {
        var busySince = clock()
        guard outlet.hasRoom(for: 1) else { return }
        mayHavePictures = false
        while let frame = try decoder.receive() {
            noteDecodingTime(since: busySince)
            deliver(frame)
            if !outlet.hasRoom(for: 1) {
                mayHavePictures = true
                return
            }
            busySince = clock()
        }
        decodingTime = decodingTime + (clock() - busySince)
    }

    private func deliver(_ frame: consuming VideoFrame) {
        guard holdsSession, frame.pts != deliveredAhead else { return deliveredAhead = nil }
        errorsInARow = 0
        silence.pictureCame()
        counters.framesDecoded += 1
        // The pictures that the decoder leaves out come between two that it outputs.
        if ladder.step >= .noNonReference { counters.unitsLeftOut += max(0, unitsSincePicture - 1) }
        unitsSincePicture = 0
        if frame.isDamaged { counters.damagedFrames += 1 }
        let isDamaged = trail.pictureDecoded(pts: frame.pts, isDamaged: frame.isDamaged)
        let isPoint = frame.pts == randomAccessPTS
        frame.pts = times.time(ofPicture: frame.pts)
        if let last = lastPTS, (450...90_000).contains(frame.pts - last) { span = frame.pts - last }
        lastPTS = frame.pts
        show(frame, isPoint: isPoint, isDamaged: isDamaged)
    }

    private func show(_ frame: consuming VideoFrame, isPoint: Bool, isDamaged: Bool) {
        let time = correlation.time(of: frame.pts)
        let span = TickRate.mpeg.nanoseconds(span)
        let verdict = outlet.pictureDecoded(at: time, span, isDamaged: isDamaged)
        noteMovedHead()
        switch verdict {
        case .damaged: counters.picturesHeld += 1
        case .passed: counters.picturesPassed += 1
        case .due(let isImmediate, let lateness):
            if let lateness, !isWanted(lateness: lateness, isPoint: isPoint) {
                counters.picturesTooLate += 1
                return
            }
            outlet.put(frame, at: time, span, isImmediate: isImmediate)
        }
    }

    /// False once the session was taken from this thread, because its decoder hung.
    private var holdsSession: Bool { run.lease.renew(at: clock()) }

    private func attempt(_ body: () throws(CodecError) -> Void) {
        do throws(CodecError) {
            try body()
        } catch {
            failed(error)
        }
    }

    private func failed(_ error: CodecError) {
        mayHavePictures = false
        guard holdsSession else { return }
        counters.decodeErrors += 1
        errorsInARow += 1
        if !error.isOfData, let stream, !stream.isReportedUnsupported {
            self.stream?.isReportedUnsupported = true
            report(.streamUnsupported(session: session, what: "\(stream.codec.rawValue): \(error)"))
        }
        if errorsInARow >= Self.mostErrors {
            errorsInARow = 0
            replaceDecoder(.fruitless(units: Self.mostErrors))
        }
    }
}
