// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import System
import Time

/// The read thread's own state: commands in, units from a reader to the decode thread and the mixer, each with its media
/// time. It waits for no decoder where sound would have to wait too. Made and used on that thread only.
final class ReadLoop {
    /// How long it sleeps at most before it looks at `stopping` and commands again.
    private static let nap = Nanoseconds.milliseconds(100)
    /// Sound and pictures of one instant may be this far apart in the stream.
    private static let readAhead = Nanoseconds.seconds(1)
    /// Sound is to be read this long before it is presented, or it comes too late for the mixer.
    private static let urgency = Nanoseconds.milliseconds(300)
    /// After a seek, sound due longer ago than this is not even queued.
    private static let pastSound = Nanoseconds.milliseconds(300)

    let session: PlaybackSession
    var counters = PlaybackCounters()
    private(set) var isVisible = true
    private var video: VideoIntake?
    private var reader: (any MediaReader)?
    private var pendingSeek: (target: SeekTarget, epoch: Int)?
    private var pendingChoice: StreamChoice?
    private var needsReread = false
    /// Sound that is past is found in front of what is due.
    private var passesSound = false
    /// Sound up to this media time was queued already.
    private var soundFrom: Monotonic?
    private var lastSound: Monotonic?
    /// The end of the file has been reported.
    private var isEnded = false

    init(_ session: PlaybackSession) { self.session = session }

    func run() {
        let video = VideoIntake(self, session.pictures)
        self.video = video
        let reader = session.makeReader(for: self, video)
        self.reader = reader
        reader?.choose(session.options.choice)
        publish()
        while !session.stopping.isRaised {
            takeCommands()
            carryOut()
            let progress = reader?.advance() ?? .waiting
            if progress == .progressed { continue }
            publish()
            let pause = progress == .ended ? finish() : Self.nap
            session.wakeup.wait(until: SystemClock.monotonic() + pause)
        }
        publish()
        self.reader = nil
        self.video = nil
    }

    var control: PlayHeadControl { session.head.value }

    /// Whether what has this media time is soon to be presented: nothing is read further ahead.
    func isSoon(_ time: Monotonic) -> Bool { time < control.mediaTime(at: SystemClock.monotonic()) + Self.readAhead }

    /// Whether sound of this media time cannot wait any longer.
    func isUrgent(_ time: Monotonic) -> Bool { time < control.mediaTime(at: SystemClock.monotonic()) + Self.urgency }

    // MARK: Commands

    private func takeCommands() {
        for command in session.commands.takeAll() {
            let now = SystemClock.monotonic()
            switch command {
            case .play: setHead { $0.play(at: now) }
            case .pause: setHead { $0.pause(at: now) }
            case .seek(let target, let epoch): pendingSeek = (target, epoch)
            case .select(let choice): pendingChoice = choice
            case .setVisible(let visible):
                guard visible != isVisible else { continue }
                isVisible = visible
                expectPictures()
                if !visible { video?.discard() }
                needsReread = needsReread || visible
            case .restartDecoder:
                session.pictures.restartDecoder()
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
        session.head.change { $0.stretch(at: now) }
    }

    private func restartCatchingUp() {
        video?.discard(.catchingUp)
        passesSound = true
        isEnded = false
        lastSound = soundFrom
    }

    // MARK: The play-head

    func setHead(_ change: (inout PlayHeadControl) -> Void) {
        session.head.change {
            change(&$0)
            return true
        }
        session.frames.wakeReader()
    }

    /// Whether a picture that does not come is missed has changed, maybe.
    func expectPictures() { session.frames.expectsPictures = isVisible && video?.hasStream ?? false }

    /// What comes next is due at once; what waits is thrown away.
    func anchorNextPicture() {
        video?.discard(.anchored)
        passesSound = false
    }

    private func publish() {
        session.counters.set(counters.adding(session.decoding.value))
        if let reader { session.position.set(reader.position(of: control, at: SystemClock.monotonic())) }
    }

    // MARK: Sound

    /// - Parameter time: nil when the unit has no time stamp and follows the one before.
    func soundReceived(_ unit: AudioUnit, time: Monotonic?, _ bytes: UnsafeRawBufferPointer) {
        let control = control
        if let time {
            if let from = soundFrom {
                guard time > from else { return }
                soundFrom = nil
            }
            let instant = control.instant(at: SystemClock.monotonic())
            guard !passesSound || time + control.state.delay >= instant - Self.pastSound else { return }
            passesSound = false
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

    // MARK: The end

    /// Until what was queued has been presented; nil when nothing was.
    private var timeToEnd: Nanoseconds? {
        let (now, control) = (SystemClock.monotonic(), control)
        return (session.pictures.picturesEnd ?? lastSound).map { $0 + control.state.delay - control.instant(at: now) }
    }

    /// Nothing is left to read: the last picture is shown for its time, then the control plane is told, once.
    /// - Returns: when to ask again.
    private func finish() -> Nanoseconds {
        session.pictures.endGeneration()
        guard session.pictures.isFinished else { return Self.nap }
        if let left = timeToEnd, left > .zero { return min(left, Self.nap) }
        if !isEnded {
            isEnded = true
            session.frames.expectsPictures = false
            session.report(.ended(session: session.id))
        }
        return Self.nap
    }
}
