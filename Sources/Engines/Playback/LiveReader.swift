// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import Time
import Timelines
import TransportStream
import Venue

/// Reads the units of a live channel from its history, and gives each the media time of the receive thread's clock.
final class LiveReader: SessionReader, AccessUnitSink {
    /// How far before the wanted picture a random-access point is searched, at least. The media time of a point is the
    /// arrival of its last octet, after reordering, and sound may be later still.
    private static let leastLead = Nanoseconds.seconds(1)
    /// Likewise, beside the time by which pictures come early.
    private static let leadOfEarly = Nanoseconds.milliseconds(500)
    /// Successive decoding times of one stream belong to different timelines if they differ by so much more than their
    /// arrivals, or go back by more than `disorder`.
    private static let longestStep = TickRate.mpeg.ticks(.seconds(5))
    /// How far presentation times may go back where they are used as decoding times.
    private static let disorder = TickRate.mpeg.ticks(.milliseconds(500))
    /// The largest difference between presentation and decoding time.
    private static let longestReorder = TickRate.mpeg.ticks(.seconds(2))
    /// ISO/IEC 13818-1 2.4.2.3.
    private static let mostCorrected = Nanoseconds.seconds(10)
    /// Pictures that are so far apart are a slide show.
    private static let slideInterval = TickRate.mpeg.ticks(.seconds(1))
    /// Sound waits this long for the first picture, and then starts without it.
    private static let patience = Nanoseconds.seconds(3)
    /// The least time between two reports of the present and following events, of the programs or of the time, however
    /// often the stream changes them.
    private static let reportPause = Nanoseconds.seconds(1)
    /// The number of programs that are reported at most.
    private static let mostPrograms = 256

    private let sink: any SessionSink
    private let history: HistoryBuffer
    private let buffer: UnsafeMutableRawBufferPointer
    private let opened: Monotonic
    private var cursor: HistoryBuffer.Cursor
    private var demultiplexer = TSDemultiplexer()
    private var program: Program?
    /// The program that was reported last; nil before the first.
    private var reported: Program?
    /// Arrival of the record that is being demultiplexed. A unit arrives with the octet that completes it.
    private var arrival = Monotonic(nanoseconds: 0)
    private var correlation: StreamCorrelation?
    /// Whether `correlation` is that of the record before.
    private var goesOn = false
    private var videoMapper = StampMapper()
    private var audioMapper = StampMapper()
    private var videoMapping = StreamCorrelation(offset: .zero)
    /// nil before the first unit of sound.
    private var audioMapping: StreamCorrelation?
    /// Decoding time of the last picture and its arrival; nil before the first since a jump.
    private var lastVideo: (dts: Int64, arrival: Monotonic)?
    private var cadence = PictureCadence()
    private var taken = TakenTimes()
    /// Octets of a picture that may be complete, and how long nothing has come behind them.
    private var open: (octets: Int, stillFor: Nanoseconds) = (0, .zero)
    private var audioCodec: Codec?
    private var audioStream = 0
    private var held = HeldSound()
    /// Decoding time stamp of the picture with which the sound begins; nil before it.
    private var firstPicture: UInt64?
    private var refused: [ElementaryStream] = []
    private var audioLanguage: String?
    /// Whether there are events that have not been reported.
    private var hasNewEvents = false
    /// Arrival of the record after which events were last reported; nil before the first report. The same holds for
    /// `programsTold` and `timeTold`.
    private var eventsTold: Monotonic?
    private var programsTold: Monotonic?
    private var timeTold: Monotonic?
    private var timelines = CarriedTimelines()
    /// The count of listings of the stream when `programs` were reported.
    private var listingsTold = 0
    private var programs: [ListedProgram] = []

    init(_ history: HistoryBuffer, into sink: any SessionSink) {
        self.sink = sink
        self.history = history
        opened = sink.now
        buffer = .allocate(byteCount: history.largestRecord, alignment: 64)
        cursor = history.oldest
    }

    deinit { buffer.deallocate() }

    // MARK: SessionReader

    func advance() -> ReaderProgress {
        guard sink.isSoon(arrival), hasRoom else { return .waiting }
        switch history.read(&cursor, into: buffer) {
        case .record(let record):
            let elapsed = record.arrival - arrival
            arrival = record.arrival
            follow(record)
            var units = self
            demultiplexer.push(
                datagram: UnsafeRawBufferPointer(rebasing: buffer[..<record.octets]), to: &units)
            completePicture(after: elapsed)
            if hasNewEvents { tellEvents() }
            if demultiplexer.listings != listingsTold { tellPrograms() }
            return .progressed
        case .atLive:
            countFaults()
            return .waiting
        case .overrun(let oldest):
            sink.count { $0.historyOverruns += 1 }
            goesOn = false
            cursor = oldest
            return .overtaken
        }
    }

    /// Follows the receive thread's clock.
    private func follow(_ record: HistoryBuffer.Record) {
        guard let offset = record.offset else { return }
        if record.flags.contains(.clockBegan) {
            videoMapper.clockBegan(at: arrival)
            audioMapper.clockBegan(at: arrival)
            if correlation == nil { joinPictures(StreamCorrelation(offset: offset)) }
        } else if record.flags.contains(.clockCorrected), goesOn, let before = correlation?.offset {
            correct(by: offset - before)
        }
        correlation = StreamCorrelation(offset: offset)
        goesOn = true
    }

    /// Pictures that were read before the clock was known belong to its timeline, and those that follow may have no stamps.
    private func joinPictures(_ clock: StreamCorrelation) {
        guard let dts = lastVideo?.dts, clock.ticks(of: UInt64(bitPattern: dts), near: arrival) == dts else { return }
        let span = clock.offset - videoMapping.offset
        guard span.magnitude <= Self.mostCorrected else { return }
        _ = videoMapper.joinClock()
        sink.picturesCorrected(by: span)
        videoMapping = clock
    }

    /// What was read of a stream by a clock that has been corrected is corrected, too: pictures may have come seconds
    /// before the sound of their instant, and what follows without a stamp is due by the mapping of the last stamp. Both
    /// are corrected at once, since they are seen and heard together. A stream that has left its timeline is not, nor is
    /// one by more than sound and pictures of one instant may be apart.
    private func correct(by span: Nanoseconds) {
        guard span != .zero, span.magnitude <= Self.mostCorrected else { return }
        if videoMapper.isOnTimeline {
            sink.picturesCorrected(by: span)
            videoMapping = videoMapping.moved(by: span)
        }
        if audioMapper.isOnTimeline {
            sink.soundCorrected(by: span)
            audioMapping = audioMapping?.moved(by: span)
        }
    }

    func seek(to target: SeekTarget, from head: PlaybackClockControl, at now: Monotonic) -> PlaybackClockMove {
        let wanted: Nanoseconds
        switch target {
        case .behindLive(let offset): wanted = offset
        // From the delay itself: a clock that has not grown to D yet is at live by `behindLive`, and yet ahead of D.
        // A pause is moved to now, so that the time since it began counts as well.
        case .shifted(let step): wanted = now - head.mediaTime(at: now) - head.playoutDelay - step
        case .position: return .stay
        }
        let offset = max(.zero, min(wanted, position(of: head, at: now).available))
        begin(at: point(before: now - (head.playoutDelay + offset)))
        return .behindLive(offset)
    }

    func reread(from head: PlaybackClockControl, at now: Monotonic) -> PlaybackClockMove {
        begin(at: point(before: head.mediaTime(at: now)))
        let available = position(of: head, at: now).available
        return head.behindLive(at: now) > available ? .behindLive(available) : .stay
    }

    func choose(_ choice: StreamChoice) {
        if choice.audioLanguage != audioLanguage {
            audioLanguage = choice.audioLanguage
            hasNewEvents = demultiplexer.events != PresentFollowing()
        }
        var units = self
        demultiplexer.choose(program: choice.program, audioLanguage: choice.audioLanguage, to: &units)
    }

    func position(of control: PlaybackClockControl, at now: Monotonic) -> PlaybackPosition {
        var position = PlaybackPosition()
        position.behindLive = control.behindLive(at: now)
        if let oldest = history.oldestRandomAccessPoint()?.arrival {
            position.available = control.available(from: oldest + lead, at: now)
        }
        position.progress = now - opened
        position.correlation = lastVideo != nil ? videoMapping : audioMapping
        position.delay = control.state.delay
        position.heldAt = control.pausedAt
        return position
    }

    /// Pictures wait for room as long as sound can wait. After that, pictures without room are left out.
    private var hasRoom: Bool { sink.hasRoomForPictures || !sink.isCatchingUp && sink.isUrgent(arrival) }

    private var lead: Nanoseconds { max(Self.leastLead, Self.leadOfEarly + videoMapper.earliness) }

    private func point(before time: Monotonic) -> HistoryBuffer.Cursor {
        history.randomAccessPoint(before: time - lead)?.cursor
            ?? history.oldestRandomAccessPoint()?.cursor ?? history.oldest
    }

    private func begin(at cursor: HistoryBuffer.Cursor) {
        self.cursor = cursor
        goesOn = false
        demultiplexer.restart()
        lastVideo = nil
        cadence = PictureCadence()
        videoMapper.moved()
        audioMapper.moved()
        arrival = Monotonic(nanoseconds: 0)
        audioStream += 1
        held.forget()
        firstPicture = nil
    }

    private func countFaults() {
        let counted = demultiplexer.readCounters()
        sink.count { counters in
            counters.disorderedTimes = Int64(clamping: counted.disorderedTimes)
            counters.malformedUnits = Int64(
                clamping: counted.malformedPES &+ counted.malformedAudio &+ counted.malformedTimelines)
            counters.refusedStreams = Int64(clamping: counted.refusedStreams)
            counters.scrambledPackets = Int64(clamping: counted.scrambledPackets)
        }
    }

    // MARK: AccessUnitSink

    func programChanged(_ program: Program?) {
        let before = self.program
        self.program = program
        if program?.video != before?.video {
            lastVideo = nil
            cadence = PictureCadence()
            videoMapper = StampMapper()
            if before?.video != nil { sink.picturesChangeTimeline() }
            sink.pictureStreamBegan(program?.video.flatMap { Codec($0.codec) })
        }
        if program?.audio != before?.audio {
            audioCodec = program?.audio.flatMap { Codec($0.codec) }
            audioMapper = StampMapper()
            if before?.audio != nil { sink.soundChangesTimeline() }
            audioStream += 1
            held.forget()
        }
        guard let program else { return }
        report(program)
    }

    private func report(_ program: Program) {
        if reported.map({ $0 != program }) ?? false { sink.count { $0.programChanges += 1 } }
        if reported == nil { sink.sourceReady(duration: nil) }
        reported = program
        for stream in program.unsupported where refused.count < 64 && !refused.contains(stream) {
            refused.append(stream)
            sink.count { $0.unsupportedStreams += 1 }
            sink.streamUnsupported("\(stream.codec.name) on PID \(stream.pid)")
        }
        let streams = program.streams.filter { $0.codec.isVideo || $0.codec.isAudio }.map { stream in
            StreamInfo(
                program: program.number, pid: stream.pid, codec: stream.codec.name,
                listedCodec: stream.listedCodec?.name, language: stream.language, isVideo: stream.codec.isVideo,
                isPlayed: stream == program.video || stream == program.audio,
                isAbsent: program.absent.contains(stream.pid))
        }
        sink.streamsChanged(streams)
    }

    func eventsChanged(_ events: PresentFollowing) { hasNewEvents = true }

    func timeTold(_ utc: WallTime) {
        guard isDue(timeTold) else { return }
        timeTold = arrival
        sink.timeTold(StreamTime(utc: utc, arrival: arrival))
    }

    func timelineTold(_ mark: TimelineMark) {
        if let news = timelines.take(mark, at: arrival, isDue: { isDue($0) }) { sink.timelineTold(news) }
    }

    private func tellEvents() {
        guard isDue(eventsTold) else { return }
        eventsTold = arrival
        hasNewEvents = false
        sink.nowNextChanged(NowNext(demultiplexer.events, language: audioLanguage))
    }

    private func tellPrograms() {
        guard isDue(programsTold) else { return }
        listingsTold = demultiplexer.listings
        let listed = [ListedProgram](demultiplexer.programs.prefix(Self.mostPrograms), demultiplexer.services)
        guard listed != programs else { return }
        programsTold = arrival
        programs = listed
        sink.programsChanged(listed)
    }

    private func isDue(_ told: Monotonic?) -> Bool {
        told.map { arrival < $0 || arrival - $0 >= Self.reportPause } ?? true
    }

    func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        sink.count { $0.videoUnits += 1 }
        let before = lastVideo?.dts
        guard let time = time(ofVideo: unit) else { return }
        var picture = AccessUnit(
            pts: time.pts, dts: time.dts, isRandomAccess: unit.isRandomAccess, isDamaged: unit.isDamaged,
            recovery: unit.recovery, hasParameterSets: unit.hasParameterSets,
            bringsParameterSets: unit.bringsParameterSets)
        picture.hasTimes = unit.pts != nil
        picture.isAlone = unit.isAlone || before.map { time.dts - $0 >= Self.slideInterval } ?? false
        sink.pictureRead(picture, videoMapping, bytes)
        guard sink.mayStartSound else { return }
        firstPicture = firstPicture ?? unit.dts ?? unit.pts
        giveHeld()
    }

    /// Ends a picture behind which other packets of the stream come, and no picture.
    /// - Parameter elapsed: since the record before; in an interruption of everything, nothing has come of other streams.
    private func completePicture(after elapsed: Nanoseconds) {
        let octets = demultiplexer.openOctets
        guard octets > 0, octets == open.octets else {
            open = (octets, .zero)
            return
        }
        open.stillFor = open.stillFor + min(max(.zero, elapsed), TSDemultiplexer.stillness / 10)
        guard open.stillFor >= demultiplexer.openPatience else { return }
        open = (0, .zero)
        var units = self
        demultiplexer.completePicture(to: &units)
    }

    func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        guard let audioCodec else { return }
        let known = unit.pts.map { audioMapper.mapping(of: $0, by: correlation, at: arrival) }
        if known != nil, audioMapper.hasChangedTimeline { sink.soundChangesTimeline() }
        let mapping = known ?? audioMapping ?? StreamCorrelation(offset: .zero)
        audioMapping = mapping
        let pts = unit.pts.map { mapping.ticks(of: $0, near: arrival) }
        let sound = AudioUnit(
            codec: audioCodec, stream: audioStream, channels: program?.audio?.channels ?? 0, pts: pts,
            offset: mapping.offset, epoch: 0, isDamaged: unit.isDamaged)
        if arrival - opened > Self.patience {
            held.forget()
        } else if sink.mayStartSound, correlation != nil {
            giveHeld()
        } else {
            return held.keep(sound, stamp: unit.pts, at: arrival, bytes)
        }
        sink.soundRead(sound, time: pts.map { mapping.time(of: $0) }, bytes)
    }

    /// Sound that came before the clock was known, or before the first picture and belongs to what follows that.
    private func giveHeld() {
        guard !held.isEmpty, let correlation else { return }
        if audioMapper.joinClock() { sink.soundChangesTimeline() }
        audioMapping = correlation
        let picture = firstPicture.map { correlation.time(of: correlation.ticks(of: $0, near: arrival)) }
        let start = picture ?? Monotonic(nanoseconds: 0)
        held.give(from: start, by: correlation) { unit, time, bytes in sink.soundRead(unit, time: time, bytes) }
    }

    /// A picture without a time stamp (the second picture of a PES packet, or of a multiplexer that omits most stamps)
    /// is decoded one picture after the one before it; when it is presented its decoder knows.
    private func time(ofVideo unit: PESUnit) -> (pts: Int64, dts: Int64)? {
        guard let pts = unit.pts else {
            sink.count { $0.unitsWithoutTime += 1 }
            guard let time = cadence.unstamped() else { return nil }
            lastVideo = (time, arrival)
            return (taken.free(at: time), time)
        }
        videoMapping = videoMapper.mapping(of: unit.dts ?? pts, by: correlation, at: arrival)
        if videoMapper.hasChangedTimeline {
            sink.picturesChangeTimeline()
            cadence.broke()
        }
        let dts = videoMapping.ticks(of: unit.dts ?? pts, near: arrival)
        let ahead = StampSpan.distance(from: dts, to: Int64(truncatingIfNeeded: pts))
        let reorder = max(0, min(ahead, Self.longestReorder))
        if let last = lastVideo {
            let longest = Self.longestStep + max(0, TickRate.mpeg.ticks(arrival - last.arrival))
            if !(-Self.disorder...longest).contains(dts - last.dts) {
                sink.count { $0.timestampJumps += 1 }
                sink.picturesBroke()
            }
        }
        lastVideo = (dts, arrival)
        cadence.stamped(dts)
        taken.take(dts + reorder)
        return (dts + reorder, dts)
    }
}
