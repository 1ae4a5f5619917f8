// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import System
import Time

/// The decode thread's own state: commands in, units from a reader through the decoder into the queues of the stage and
/// the mixer, each with its media time. Made and used on that thread only.
final class DecodeLoop {
    /// How long it sleeps at most before it looks at `stopping` and commands again.
    private static let nap = Nanoseconds.milliseconds(100)
    /// Sound and pictures of one instant may be this far apart in the stream.
    private static let readAhead = Nanoseconds.seconds(1)
    /// After a seek, sound due longer ago than this is not even queued.
    private static let pastSound = Nanoseconds.milliseconds(300)

    let session: PlaybackSession
    var counters = PlaybackCounters()
    private(set) var control: PlayHeadControl
    private(set) var isVisible = true
    private var video: VideoPath?
    private var reader: (any MediaReader)?
    private var pendingSeek: (target: SeekTarget, epoch: Int)?
    private var pendingChoice: StreamChoice?
    private var needsReread = false
    /// The next picture is shown as soon as it is there: what is due by then is found behind it.
    private var isCatchingUp = false
    /// The next picture is due when it comes: nobody can say what should have been shown.
    private var anchorsNext = false
    /// No picture of the channel has been put yet.
    private var awaitsFirst = true
    /// Sound up to this media time was queued already.
    private var soundFrom: Monotonic?
    private var lastSound: Monotonic?
    /// Media time at which the newest picture makes way for the next.
    private var picturesEnd: Monotonic?
    /// The end of the file has been reported.
    private var isEnded = false

    init(_ session: PlaybackSession) {
        self.session = session
        control = PlayHeadControl(playoutDelay: session.options.delay)
    }

    func run() {
        let video = VideoPath(self)
        self.video = video
        let reader = session.makeReader(for: self, video)
        self.reader = reader
        reader?.choose(session.options.choice)
        publish()
        while !session.stopping.isRaised {
            takeCommands()
            carryOut()
            let hasDecoded = video.decodeNext()
            let progress = reader?.advance() ?? .waiting
            if hasDecoded || progress == .progressed { continue }
            publish()
            let pause = progress == .ended ? finish() : Self.nap
            session.wakeup.wait(until: SystemClock.monotonic() + pause)
        }
        publish()
        self.reader = nil
        self.video = nil
    }

    /// Whether pictures have to wait.
    var isFull: Bool { session.frames.isFull }

    /// Whether what has this media time is soon to be presented: nothing is read further ahead.
    func isSoon(_ time: Monotonic) -> Bool { time < control.mediaTime(at: SystemClock.monotonic()) + Self.readAhead }

    // MARK: Commands

    private func takeCommands() {
        for command in session.commands.takeAll() {
            let now = SystemClock.monotonic()
            switch command {
            case .play:
                control.play(at: now)
                moveHead()
            case .pause:
                control.pause(at: now)
                moveHead()
            case .seek(let target, let epoch): pendingSeek = (target, epoch)
            case .select(let choice): pendingChoice = choice
            case .setVisible(let visible):
                guard visible != isVisible else { continue }
                isVisible = visible
                expectPictures()
                if !visible { video?.discard() }
                needsReread = needsReread || visible
            case .restartDecoder:
                video?.discardDecoder()
                needsReread = true
            }
        }
    }

    private func carryOut() {
        if let choice = pendingChoice {
            pendingChoice = nil
            reader?.choose(choice)
        }
        let now = SystemClock.monotonic()
        if let seek = pendingSeek {
            pendingSeek = nil
            needsReread = false
            soundFrom = nil
            counters.seeks += 1
            restartCatchingUp()
            reader?.seek(to: seek.target, epoch: seek.epoch, at: now)
            publish()
            session.report(.positioned(session: session.id, epoch: seek.epoch, session.position.value))
        } else if needsReread {
            needsReread = false
            soundFrom = lastSound
            restartCatchingUp()
            reader?.reread(at: now)
        }
        if control.stretch(at: now) { session.playHead.set(control.state) }
    }

    private func restartCatchingUp() {
        video?.discard()
        isCatchingUp = true
        isEnded = false
        anchorsNext = false
        awaitsFirst = false
        picturesEnd = nil
        lastSound = soundFrom
    }

    // MARK: The play-head

    func setHead(_ change: (inout PlayHeadControl) -> Void) {
        change(&control)
        moveHead()
    }

    /// Whether a picture that does not come is missed has changed, maybe.
    func expectPictures() { session.frames.expectsPictures = isVisible && video?.hasStream ?? false }

    /// Whatever comes next is due at once.
    func anchorNextPicture() {
        anchorsNext = true
        isCatchingUp = false
    }

    private func moveHead() {
        session.playHead.set(control.state)
        session.frames.wakeReader()
        video?.playHeadMoved()
    }

    private func publish() {
        session.counters.set(counters)
        if let reader { session.position.set(reader.position(of: control, at: SystemClock.monotonic())) }
    }

    // MARK: Deliveries

    /// The first picture of a channel, alone and ahead of its time.
    func showAtOnce(_ frame: consuming VideoFrame, time: Monotonic) {
        guard awaitsFirst else { return }
        enqueue(frame, time: time, isImmediate: true, fieldSpan: .zero)
    }

    func pictureDecoded(_ frame: consuming VideoFrame, time: Monotonic, span: Nanoseconds, isDamaged: Bool) {
        let now = SystemClock.monotonic()
        if isDamaged, !session.options.showsDamage {
            counters.picturesHeld += 1
            return
        }
        var isImmediate = false
        if anchorsNext {
            anchorsNext = false
            control.anchor(time, at: now)
            moveHead()
            isImmediate = true
        }
        if awaitsFirst {
            awaitsFirst = false
            if session.options.stretchesAtStart {
                control.startStretching(from: now - time + span, at: now)
                moveHead()
            }
        }
        let due = time + control.state.delay
        let instant = control.instant(at: now)
        if isCatchingUp {
            guard due + span / 2 >= instant else {
                counters.picturesPassed += 1
                return
            }
            isCatchingUp = false
            isImmediate = true
        } else if !control.isPaused {
            video?.pictureDecoded(lateness: now - due, at: now)
        }
        picturesEnd = time + span
        let fieldSpan = frame.fields == .progressive ? .zero : span / 2
        enqueue(frame, time: time, isImmediate: isImmediate, fieldSpan: fieldSpan)
    }

    private func enqueue(
        _ frame: consuming VideoFrame, time: Monotonic, isImmediate: Bool, fieldSpan: Nanoseconds
    ) {
        session.frames.put(
            TimedFrame(
                frame: frame, time: time, epoch: control.state.epoch, isImmediate: isImmediate, fieldSpan: fieldSpan))
    }

    /// - Parameter time: nil when the unit has no time stamp and follows the one before.
    func soundReceived(_ unit: AudioUnit, time: Monotonic?, _ bytes: UnsafeRawBufferPointer) {
        if let time {
            if let from = soundFrom {
                guard time > from else { return }
                soundFrom = nil
            }
            let instant = control.instant(at: SystemClock.monotonic())
            guard time + control.state.delay >= instant - Self.pastSound || !isCatchingUp else { return }
        } else if soundFrom != nil {
            return
        }
        var unit = unit
        unit.epoch = control.state.epoch
        guard session.sound.put(unit, bytes) else {
            counters.audioUnitsDropped += 1
            return
        }
        lastSound = time ?? lastSound
        counters.audioUnits += 1
        counters.audioOctets += Int64(bytes.count)
    }

    /// Until what was queued has been presented; nil when nothing was.
    private var timeToEnd: Nanoseconds? {
        let now = SystemClock.monotonic()
        return (picturesEnd ?? lastSound).map { $0 + control.state.delay - control.instant(at: now) }
    }

    /// Nothing is left to read: the last picture is shown for its time, then the control plane is told, once.
    /// - Returns: when to ask again.
    private func finish() -> Nanoseconds {
        guard video?.drain() ?? true else { return isFull ? Self.nap : .zero }
        if let left = timeToEnd, left > .zero { return min(left, Self.nap) }
        if !isEnded {
            isEnded = true
            session.frames.expectsPictures = false
            session.report(.ended(session: session.id))
        }
        return Self.nap
    }
}
