// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Time
import Timelines
import Venue

/// What a session's reader fills: it passes pictures to the decode thread, sound to the mixer, and what is known of the
/// source to the control loop.
/// - Thread: the read thread.
final class SessionIntake: SessionSink {
    /// Sound and pictures of the same instant may be this far apart in the stream.
    private static let readAhead = Nanoseconds.seconds(1)
    /// Sound that is read later than this before its presentation comes too late for the mixer.
    private static let urgency = Nanoseconds.milliseconds(300)
    /// How much after the unit that begins a channel is read at once to have its first picture. Decoders give out a
    /// picture only some units later, and at a recovery point only once the stream has refreshed it.
    private static let firstPictureSpan = Nanoseconds.seconds(4)

    private let session: PlaybackSession
    private let clock: () -> Monotonic
    private var pictures: CodedPictures
    private var video: VideoIntake
    private var sound: SoundIntake
    private(set) var counters = PlaybackCounters()
    /// Whether pictures are decoded and shown; sound goes on without them.
    private var isVisible = true
    private var streamsAreKnown = false
    /// Media time of the unit with which decoding began; nil before it.
    private var firstUnit: Monotonic?

    /// - Parameter clock: reads the time by which the session plays.
    init(_ session: PlaybackSession, clock: @escaping () -> Monotonic) {
        (self.session, self.clock) = (session, clock)
        pictures = session.decoding.pictures
        video = VideoIntake(pictures)
        sound = SoundIntake(session.sound)
    }

    private var head: PlaybackClockControl { session.head.value }

    // MARK: The read loop

    /// - Returns: whether the visibility has changed.
    func setVisible(_ isVisible: Bool) -> Bool {
        guard isVisible != self.isVisible else { return false }
        self.isVisible = isVisible
        expectPictures()
        if !isVisible { video.discard() }
        return true
    }

    /// Another decode thread takes the pictures, which the reader goes back for.
    func decodingReplaced(by run: DecodingRun) {
        pictures = run.pictures
        video.move(to: pictures)
    }

    /// The reader is about to go to another place.
    /// - Parameter isReread: whether that place is before what was read last.
    func placeChanges(isReread: Bool) {
        video.discard(.catchingUp)
        sound.jumped(isReread: isReread)
        expectPictures()
    }

    /// Media time of the last queued unit of sound; nil if none was queued since a jump.
    var soundEnd: Monotonic? { sound.last }

    /// Tells the stage whether it should expect pictures, so that missing ones count as starvation.
    private func expectPictures() { session.frames.expectsPictures = isVisible && video.hasStream }

    // MARK: SessionSink

    var now: Monotonic { clock() }
    var stopping: StopFlag { session.stopping }

    func isSoon(_ time: Monotonic) -> Bool {
        time < head.mediaTime(at: clock()) + Self.readAhead || isForFirstPicture(time)
    }

    /// The first picture of a channel is shown before it is due. A play-out delay of more than `readAhead` must not keep
    /// it back.
    private func isForFirstPicture(_ time: Monotonic) -> Bool {
        guard isVisible, video.awaitsFirstPicture, hasRoomForSound else { return false }
        guard streamsAreKnown else { return true }
        return video.hasStream && firstUnit.map { time < $0 + Self.firstPictureSpan } ?? true
    }

    func isUrgent(_ time: Monotonic) -> Bool { time < head.mediaTime(at: clock()) + Self.urgency }

    var hasRoomForPictures: Bool { pictures.hasRoom }
    var hasRoomForSound: Bool { session.sound.hasRoom }
    var isCatchingUp: Bool { video.isCatchingUp }
    var mayStartSound: Bool { !video.hasStream || video.hasBegun || !isVisible }

    func sourceReady(duration: Nanoseconds?) { session.report(.ready(session: session.id, duration: duration)) }

    func streamsChanged(_ streams: [StreamInfo]) {
        streamsAreKnown = true
        expectPictures()  // a source of sound alone never reports a stream of pictures
        session.report(.streamsChanged(session: session.id, streams))
    }

    func streamUnsupported(_ what: String) { session.report(.streamUnsupported(session: session.id, what: what)) }

    func programsChanged(_ programs: [ListedProgram]) {
        session.report(.programsChanged(session: session.id, programs))
    }

    func nowNextChanged(_ nowNext: NowNext) { session.report(.nowNextChanged(session: session.id, nowNext)) }

    func timeTold(_ time: StreamTime) { session.report(.timeTold(session: session.id, time)) }

    func timelineTold(_ timeline: CarriedTimeline) {
        session.report(.timelineTold(session: session.id, timeline))
    }

    func pictureStreamBegan(_ codec: Codec?) {
        video.begin(codec)
        expectPictures()
    }

    func pictureRead(_ unit: AccessUnit, _ correlation: StreamCorrelation, _ bytes: UnsafeRawBufferPointer) {
        guard isVisible, video.hasStream else { return }
        if unit.isDamaged { counters.damagedVideoUnits += 1 }
        switch video.put(
            unit, correlation, epoch: head.state.epoch, at: clock(), bytes)
        {
        case .taken: firstUnit = firstUnit ?? correlation.time(of: unit.dts)
        case .skipped:
            counters.unitsSkipped += 1
            if !unit.hasParameterSets { counters.unitsWithoutParameterSets += 1 }
        case .leftOut: counters.unitsLeftOut += 1
        }
    }

    func soundRead(_ unit: AudioUnit, time: Monotonic?, _ bytes: UnsafeRawBufferPointer) {
        switch sound.put(unit, time: time, bytes, head: head, at: clock()) {
        case nil: break
        case false?: counters.audioUnitsDropped += 1
        case true?:
            counters.audioUnits += 1
            counters.audioOctets += Int64(bytes.count)
        }
    }

    func picturesCorrected(by span: Nanoseconds) { pictures.corrections.correct(by: span) }

    func soundCorrected(by span: Nanoseconds) { session.sound.corrections.correct(by: span) }

    func picturesChangeTimeline() { pictures.corrections.begin() }

    func soundChangesTimeline() { session.sound.corrections.begin() }

    func picturesBroke() { video.startAnew() }

    func count(_ change: (inout PlaybackCounters) -> Void) { change(&counters) }
}
