// SPDX-License-Identifier: Apache-2.0
import Media
import System
import Time

/// Decides when decoded pictures are due, and puts them into the stage's queue.
/// - Thread: the decode thread.
final class PictureOutlet {
    /// What the next picture is for.
    private enum Phase {
        /// The first picture of a channel is awaited. It is shown as soon as it is decoded, even before it is due.
        case awaitsFirst
        /// Pictures are past until one is due. That one is shown at once.
        case catchesUp(since: Monotonic)
        /// Each picture is shown when it is due.
        case plays
    }

    enum Verdict {
        /// The picture shows damage, and damaged pictures are not shown.
        case damaged
        /// The picture was due before the position that is being caught up with.
        case passed
        /// - isImmediate: shown as soon as it is decoded, and not when it is due.
        /// - lateness: now minus the due instant, negative if early; nil if it says nothing about the decoder.
        case due(isImmediate: Bool, lateness: Nanoseconds?)
    }

    /// How long pictures that are past are decoded without being shown. A decoder that has not reached the picture that is
    /// due by then may never reach it; what it has is shown, and the ladder decides what is left out.
    private static let patience = Nanoseconds.seconds(2)

    private let pictures: CodedPictures
    private let frames: FrameQueue
    private let head: SteeredPlaybackClock
    private let options: PlaybackSession.Options
    private let clock: () -> Monotonic
    private var phase = Phase.awaitsFirst
    /// The generation of the pictures that come; see `CodedPictures`.
    private var generation = 0
    private var epoch = 0
    /// The value of `PlaybackClockControl.moves` that was seen last.
    private var moves = 0
    /// Media time at which the newest picture ends; nil before the first picture of a generation.
    private(set) var picturesEnd: Monotonic?

    /// - Parameter clock: reads the time by which pictures are due.
    init(_ session: PlaybackSession, _ pictures: CodedPictures, clock: @escaping () -> Monotonic) {
        self.pictures = pictures
        frames = session.frames
        head = session.head
        options = session.options
        self.clock = clock
    }

    /// Whether the stage's queue has room for so many pictures. If not, the decode thread is woken once it has.
    func hasRoom(for pictures: Int) -> Bool { frames.hasRoom(for: pictures) }

    /// Whether pictures follow each other, each shown when it is due.
    var isPlaying: Bool {
        if case .plays = phase { true } else { false }
    }

    /// Takes the first unit of a generation.
    func begin(_ entry: CodedPictures.Entry) {
        generation = entry.generation
        epoch = entry.epoch
        picturesEnd = nil
        if entry.beginning == .catchingUp { phase = .catchesUp(since: clock()) }
    }

    /// Whether the playback clock was moved since the last call. Earlier lateness does not count then.
    func headWasMoved() -> Bool {
        let now = head.value.moves
        defer { moves = now }
        return now != moves
    }

    /// The time since the due instant of `time`; negative if it is early, nil if it says nothing about the decoder.
    func lateness(of time: Monotonic) -> Nanoseconds? {
        let control = head.value
        guard isPlaying, !control.isPaused else { return nil }
        return clock() - (time + control.state.delay)
    }

    /// Whether the first picture of the channel has not come yet.
    var awaitsFirst: Bool {
        if case .awaitsFirst = phase { true } else { false }
    }

    /// Decides whether a decoded picture is shown, and when. Sets the playback clock if the picture determines it.
    func pictureDecoded(at time: Monotonic, _ span: Nanoseconds, isDamaged: Bool) -> Verdict {
        if isDamaged, !options.showsDamage { return .damaged }
        let now = clock()
        if case .awaitsFirst = phase {
            if options.stretchesAtStart { changeHead { $0.startStretching(from: now - time + span, at: now) } }
            pictures.placeFirst()
            phase = .plays
        }
        let control = head.value
        let due = time + control.state.delay
        if case .catchesUp(let since) = phase {
            // A paused session shows the picture that covers the position, as one that is paused while it plays does.
            let position = control.instant(at: now)
            let isReached = control.isPaused ? due + span > position : due + span / 2 >= position
            // The position of a paused session stands still, so that any decoder reaches it.
            guard isReached || !control.isPaused && now - since > Self.patience else { return .passed }
            phase = .plays
            pictures.catchUp(generation)
            return .due(isImmediate: true, lateness: nil)
        }
        return .due(isImmediate: false, lateness: control.isPaused ? nil : now - due)
    }

    /// - Parameters:
    ///   - time: media time of the picture.
    ///   - span: the time from this picture to the next.
    func put(_ frame: consuming VideoFrame, at time: Monotonic, _ span: Nanoseconds, isImmediate: Bool) {
        picturesEnd = time + span
        let fieldSpan = frame.fields == .progressive ? .zero : span / 2
        enqueue(frame, at: time, isImmediate: isImmediate, fieldSpan: fieldSpan)
    }

    /// Puts the first picture of a channel, which is shown alone and before it is due.
    func putFirst(_ frame: consuming VideoFrame, at time: Monotonic) {
        enqueue(frame, at: time, isImmediate: true, fieldSpan: .zero)
    }

    private func enqueue(
        _ frame: consuming VideoFrame, at time: Monotonic, isImmediate: Bool, fieldSpan: Nanoseconds
    ) {
        frames.put(TimedFrame(frame: frame, time: time, epoch: epoch, isImmediate: isImmediate, fieldSpan: fieldSpan))
    }

    /// Changes the playback clock, unless a command has begun another generation meanwhile.
    private func changeHead(_ change: (inout PlaybackClockControl) -> Void) {
        let isChanged = head.change { control in
            guard pictures.generation == generation else { return false }
            change(&control)
            return true
        }
        if isChanged { frames.wakeReader() }
    }
}
