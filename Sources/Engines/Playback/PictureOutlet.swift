// SPDX-License-Identifier: Apache-2.0
import Media
import System
import Time

/// When decoded pictures are due, and the queue of the stage that they are put in. The decode thread's own.
final class PictureOutlet {
    /// What is expected of the next picture.
    private enum Phase {
        /// It is the first of the channel: shown as soon as it is there, even ahead of its time.
        case awaitsFirst(anchors: Bool)
        /// It is due when it comes, and the play-head is moved there.
        case anchors
        /// Pictures are past until one comes that is due, which is shown at once.
        case catchesUp
        /// Each is shown in its time.
        case plays
    }

    enum Verdict {
        /// It shows damage, which is not to be seen.
        case damaged
        /// It was due before the place that is caught up with.
        case passed
        /// - isImmediate: shown as soon as it is there, not in its time.
        /// - lateness: now minus due, negative when it is early; nil when that says nothing of the decoder.
        case due(isImmediate: Bool, lateness: Nanoseconds?)
    }

    private let pictures: CodedPictures
    private let frames: FrameQueue
    private let head: SteeredPlayHead
    private let options: PlaybackSession.Options
    private let clock: () -> Monotonic
    private var phase = Phase.awaitsFirst(anchors: false)
    /// Of the pictures that come; see `CodedPictures`.
    private var generation = 0
    private var epoch = 0
    /// Moves of the play-head that were seen.
    private var moves = 0
    /// Media time at which the newest picture makes way for the next; nil before the first of a generation.
    private(set) var picturesEnd: Monotonic?

    /// - Parameter clock: by which pictures are due.
    init(_ session: PlaybackSession, clock: @escaping () -> Monotonic) {
        pictures = session.pictures
        frames = session.frames
        head = session.head
        options = session.options
        self.clock = clock
    }

    /// Pictures have to wait.
    var isFull: Bool { frames.isFull }

    /// The first unit of a generation comes.
    func begin(_ entry: CodedPictures.Entry) {
        generation = entry.generation
        epoch = entry.epoch
        picturesEnd = nil
        switch (entry.beginning, phase) {
        case (.ofChannel, _): break
        case (.catchingUp, _): phase = .catchesUp
        case (.anchored, .awaitsFirst): phase = .awaitsFirst(anchors: true)
        case (.anchored, _): phase = .anchors
        }
    }

    /// Whether the play-head was moved by others since this was asked last: lateness of before says nothing then.
    func headWasMoved() -> Bool {
        let now = head.value.moves
        defer { moves = now }
        return now != moves
    }

    /// Until `time` should have been presented; negative when it is early, nil when that says nothing of the decoder.
    func lateness(of time: Monotonic) -> Nanoseconds? {
        let control = head.value
        guard case .plays = phase, !control.isPaused else { return nil }
        return clock() - (time + control.state.delay)
    }

    /// Whether a picture of the channel has still to be the first.
    var awaitsFirst: Bool {
        if case .awaitsFirst = phase { true } else { false }
    }

    /// A picture has been decoded: whether it is shown, and when. Moves the play-head to a picture that says where it is.
    func pictureDecoded(at time: Monotonic, _ span: Nanoseconds, isDamaged: Bool) -> Verdict {
        if isDamaged, !options.showsDamage { return .damaged }
        let now = clock()
        var isImmediate = false
        switch phase {
        case .awaitsFirst(let anchors):
            isImmediate = anchors
            if anchors { changeHead { $0.anchor(time, at: now) } }
            if options.stretchesAtStart { changeHead { $0.startStretching(from: now - time + span, at: now) } }
            phase = .plays
        case .anchors:
            isImmediate = true
            changeHead { $0.anchor(time, at: now) }
            phase = .plays
        case .catchesUp, .plays: break
        }
        let control = head.value
        let due = time + control.state.delay
        if case .catchesUp = phase {
            guard due + span / 2 >= control.instant(at: now) else { return .passed }
            phase = .plays
            pictures.catchUp(generation)
            return .due(isImmediate: true, lateness: nil)
        }
        return .due(isImmediate: isImmediate, lateness: control.isPaused ? nil : now - due)
    }

    /// - Parameters:
    ///   - time: its media time.
    ///   - span: from this picture to the next.
    func put(_ frame: consuming VideoFrame, at time: Monotonic, _ span: Nanoseconds, isImmediate: Bool) {
        picturesEnd = time + span
        let fieldSpan = frame.fields == .progressive ? .zero : span / 2
        enqueue(frame, at: time, isImmediate: isImmediate, fieldSpan: fieldSpan)
    }

    /// The first picture of a channel, alone and ahead of its time.
    func putFirst(_ frame: consuming VideoFrame, at time: Monotonic) {
        enqueue(frame, at: time, isImmediate: true, fieldSpan: .zero)
    }

    private func enqueue(
        _ frame: consuming VideoFrame, at time: Monotonic, isImmediate: Bool, fieldSpan: Nanoseconds
    ) {
        frames.put(TimedFrame(frame: frame, time: time, epoch: epoch, isImmediate: isImmediate, fieldSpan: fieldSpan))
    }

    /// Not when a command has meanwhile put it elsewhere.
    private func changeHead(_ change: (inout PlayHeadControl) -> Void) {
        let isChanged = head.change { control in
            guard pictures.generation == generation else { return false }
            change(&control)
            return true
        }
        if isChanged { frames.wakeReader() }
    }
}
