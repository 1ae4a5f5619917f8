// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import System
import Time
import Timelines
import TransportStream
import Venue

/// Units of a live channel from its history, each with the media time that the receive thread's clock gives it.
final class LiveReader: MediaReader, AccessUnitSink {
    /// A random-access point is looked for so far before the wanted picture: its own media time is that of its last
    /// octet, after reordering and what sound takes longer.
    private static let lead = Nanoseconds.seconds(1)
    /// Decode times of one stream that lie further apart, or further back than `disorder`, are of two timelines.
    private static let longestStep = TickRate.mpeg.ticks(.seconds(5))
    /// A unit whose decoding time is so long after its arrival, or before it, belongs to another time line.
    private static let earliest = Nanoseconds.seconds(1)
    private static let latest = Nanoseconds.seconds(5)
    /// Where presentation times stand in for decoding times they go back by so much.
    private static let disorder = TickRate.mpeg.ticks(.milliseconds(500))
    /// Presentation lies no further behind decoding.
    private static let longestReorder = TickRate.mpeg.ticks(.seconds(2))
    /// Sound waits for the first picture, but not for ever.
    private static let patience = Nanoseconds.seconds(3)
    /// What is on now and next is told no more often, however often the stream changes its mind.
    private static let eventPause = Nanoseconds.seconds(1)

    private unowned let loop: ReadLoop
    private unowned let video: VideoIntake
    private let history: HistoryBuffer
    private let buffer: UnsafeMutableRawBufferPointer
    private let opened = SystemClock.monotonic()
    private var cursor: HistoryBuffer.Cursor
    private var demultiplexer = TSDemultiplexer()
    private var program: Program?
    /// The newest that was told of.
    private var reported: Program?
    private var isReady = false
    /// Of the record being taken apart: a unit's are those of the octet that completes it.
    private var arrival = Monotonic(nanoseconds: 0)
    private var correlation: StreamCorrelation?
    /// In its place while it does not fit.
    private var makeshift: StreamCorrelation?
    private var videoMapping = StreamCorrelation(offset: .zero)
    private var audioMapping = StreamCorrelation(offset: .zero)
    private var lastVideo: (pts: Int64, dts: Int64, arrival: Monotonic)?
    private var audioCodec: Codec?
    private var audioStream = 0
    private var refused: [ElementaryStream] = []
    private var audioLanguage: String?
    /// Not yet told of.
    private var hasNewEvents = false
    /// By arrival.
    private var eventsTold: Monotonic?

    init(_ history: HistoryBuffer, for loop: ReadLoop, _ video: VideoIntake) {
        self.loop = loop
        self.video = video
        self.history = history
        buffer = .allocate(byteCount: history.largestRecord, alignment: 64)
        cursor = history.oldest
        // A channel that was kept over a stop goes on at live; a new one from its first octet.
        if history.oldestRandomAccessPoint() != nil { reread(at: opened) }
    }

    deinit { buffer.deallocate() }

    // MARK: MediaReader

    func advance() -> ReaderProgress {
        guard loop.isSoon(arrival), hasRoom else { return .waiting }
        switch history.read(&cursor, into: buffer) {
        case .record(let record):
            arrival = record.arrival
            if let offset = record.offset { correlation = StreamCorrelation(offset: offset) }
            var sink = self
            demultiplexer.push(
                datagram: UnsafeRawBufferPointer(rebasing: buffer[..<record.octets]), to: &sink)
            if hasNewEvents { tellEvents() }
            return .progressed
        case .atLive:
            countFaults()
            return .waiting
        case .overrun(let oldest):
            loop.counters.historyOverruns += 1
            begin(at: history.oldestRandomAccessPoint()?.cursor ?? oldest)
            loop.anchorNextPicture()
            return .progressed
        }
    }

    func seek(to target: SeekTarget, epoch: Int, at now: Monotonic) {
        guard case .behindLive(let wanted) = target else { return }
        let available = position(of: loop.control, at: now).available
        let offset = max(.zero, min(wanted, available))
        loop.setHead { $0.seek(behindLive: offset, epoch: epoch, at: now) }
        begin(at: point(before: now - loop.control.state.delay))
    }

    func reread(at now: Monotonic) { begin(at: point(before: loop.control.mediaTime(at: now))) }

    func choose(_ choice: StreamChoice) {
        if choice.audioLanguage != audioLanguage {
            audioLanguage = choice.audioLanguage
            hasNewEvents = demultiplexer.events != PresentFollowing()
        }
        var sink = self
        demultiplexer.choose(program: choice.program, audioLanguage: choice.audioLanguage, to: &sink)
    }

    func position(of control: PlayHeadControl, at now: Monotonic) -> PlaybackPosition {
        var position = PlaybackPosition()
        position.behindLive = control.behindLive(at: now)
        if let oldest = history.oldestRandomAccessPoint()?.arrival {
            position.available = control.available(from: oldest + Self.lead, at: now)
        }
        position.progress = now - opened
        return position
    }

    /// Pictures wait for room while sound can; then those for which there is none are left out.
    private var hasRoom: Bool { video.hasRoom || !video.isCatchingUp && loop.isUrgent(arrival) }

    private func point(before time: Monotonic) -> HistoryBuffer.Cursor {
        history.randomAccessPoint(before: time - Self.lead)?.cursor
            ?? history.oldestRandomAccessPoint()?.cursor ?? history.oldest
    }

    private func begin(at cursor: HistoryBuffer.Cursor) {
        self.cursor = cursor
        demultiplexer.restart()
        lastVideo = nil
        arrival = Monotonic(nanoseconds: 0)
        video.discard()
        audioStream += 1
    }

    private func countFaults() {
        let counted = demultiplexer.counters
        loop.counters.disorderedTimes = Int64(clamping: counted.disorderedTimes)
        loop.counters.malformedUnits = Int64(clamping: counted.malformedPES &+ counted.malformedAudio)
        loop.counters.refusedStreams = Int64(clamping: counted.refusedStreams)
        loop.counters.scrambledPackets = Int64(clamping: counted.scrambledPackets)
    }

    // MARK: AccessUnitSink

    func programChanged(_ program: Program?) {
        let before = self.program
        self.program = program
        if program?.video != before?.video {
            lastVideo = nil
            video.begin(program?.video.flatMap { Codec($0.codec) })
        }
        if program?.audio != before?.audio {
            audioCodec = program?.audio.flatMap { Codec($0.codec) }
            audioStream += 1
        }
        loop.expectPictures()  // a program of sound alone has never had a stream begin
        guard let program else { return }
        report(program)
    }

    private func report(_ program: Program) {
        let session = loop.session
        if reported.map({ $0 != program }) ?? false { loop.counters.programChanges += 1 }
        reported = program
        if !isReady {
            isReady = true
            session.report(.ready(session: session.id, duration: nil))
        }
        for stream in program.unsupported where refused.count < 64 && !refused.contains(stream) {
            refused.append(stream)
            loop.counters.unsupportedStreams += 1
            session.report(.streamUnsupported(session: session.id, what: "\(stream.codec) on PID \(stream.pid)"))
        }
        let streams = program.streams.filter { $0.codec.isVideo || $0.codec.isAudio }.map { stream in
            StreamInfo(
                program: program.number, pid: stream.pid, codec: "\(stream.codec)", language: stream.language,
                isVideo: stream.codec.isVideo, isPlayed: stream == program.video || stream == program.audio)
        }
        session.report(.streamsChanged(session: session.id, streams))
    }

    func eventsChanged(_ events: PresentFollowing) { hasNewEvents = true }

    private func tellEvents() {
        if let told = eventsTold, arrival >= told, arrival - told < Self.eventPause { return }
        eventsTold = arrival
        hasNewEvents = false
        let nowNext = NowNext(demultiplexer.events, language: audioLanguage)
        loop.session.report(.nowNextChanged(session: loop.session.id, nowNext))
    }

    func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        loop.counters.videoUnits += 1
        guard let time = time(ofVideo: unit) else { return }
        video.unitReceived(
            AccessUnit(
                pts: time.pts, dts: time.dts, isRandomAccess: unit.isRandomAccess, isDamaged: unit.isDamaged),
            videoMapping, bytes)
    }

    func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        guard let audioCodec else { return }
        // Sound before the first picture would be of another instant than what is seen.
        let mayBegin = !video.hasStream || video.hasBegun || !loop.isVisible
        guard mayBegin || arrival - opened > Self.patience else { return }
        let mapping = unit.pts.map { self.mapping(for: $0) } ?? audioMapping
        audioMapping = mapping
        let pts = unit.pts.map { mapping.ticks(of: $0, near: arrival) }
        let sound = AudioUnit(
            codec: audioCodec, stream: audioStream, channels: program?.audio?.channels ?? 0, pts: pts,
            offset: mapping.offset, epoch: 0, isDamaged: unit.isDamaged)
        loop.soundReceived(sound, time: pts.map { mapping.time(of: $0) }, bytes)
    }

    /// What has no time of its own (a second picture of one PES packet, or a multiplexer that spares most of them) follows
    /// the picture before as it arrived.
    private func time(ofVideo unit: PESUnit) -> (pts: Int64, dts: Int64)? {
        guard let pts = unit.pts else {
            loop.counters.unitsWithoutTime += 1
            guard let last = lastVideo else { return nil }
            let step = max(1, TickRate.mpeg.ticks(arrival - last.arrival))
            lastVideo = (last.pts + step, last.dts + step, arrival)
            return (last.pts + step, last.dts + step)
        }
        videoMapping = mapping(for: unit.dts ?? pts)
        let dts = videoMapping.ticks(of: unit.dts ?? pts, near: arrival)
        var reorder = (Int64(truncatingIfNeeded: pts) &- dts) & (1 << 33 - 1)
        if reorder >= 1 << 32 { reorder -= 1 << 33 }
        reorder = max(0, min(reorder, Self.longestReorder))
        if let last = lastVideo, !(-Self.disorder...Self.longestStep).contains(dts - last.dts) {
            loop.counters.timestampJumps += 1
            video.startAnew()
        }
        lastVideo = (dts + reorder, dts, arrival)
        return (dts + reorder, dts)
    }

    /// The clock's correlation; while it is not known, or still that of a time line which the stream has left: as if the
    /// unit had arrived when it should have.
    /// - Parameter stamp: a decoding time, 33 bits.
    private func mapping(for stamp: UInt64) -> StreamCorrelation {
        if let correlation, fits(correlation, stamp) {
            makeshift = nil
            return correlation
        }
        if let makeshift, fits(makeshift, stamp) { return makeshift }
        let ticks = Int64(truncatingIfNeeded: stamp & (1 << 33 - 1))
        let made = StreamCorrelation(offset: Nanoseconds(arrival.nanoseconds) - TickRate.mpeg.nanoseconds(ticks))
        makeshift = made
        return made
    }

    /// What the network held up is late, but nothing is much too early.
    private func fits(_ correlation: StreamCorrelation, _ stamp: UInt64) -> Bool {
        let early = correlation.time(of: correlation.ticks(of: stamp, near: arrival)) - arrival
        return early <= Self.earliest && early >= -Self.latest
    }
}
