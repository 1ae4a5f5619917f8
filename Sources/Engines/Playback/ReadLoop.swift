// SPDX-License-Identifier: Apache-2.0
import Buffers
import Time

/// The loop of the read thread: it executes commands and passes units from a reader to the decode thread and the mixer,
/// each with its media time. It never waits for a decoder if sound would have to wait too.
/// - Thread: the read thread.
final class ReadLoop {
    /// The longest sleep before `stopping` and commands are checked again.
    private static let nap = Nanoseconds.milliseconds(100)

    /// Where the reader goes before it reads on.
    private enum Jump {
        case seek(SeekTarget, epoch: Int)
        /// Back as far as needed to decode the current picture again.
        case reread
    }

    private let session: PlaybackSession
    private let clock: () -> Monotonic
    private let intake: SessionIntake
    /// nil if the source could not be opened, or nothing more can be played of it.
    private var reader: (any SessionReader)?
    private var jump: Jump?
    private var pendingChoice: StreamChoice?
    /// Whether the end of the source has been reported.
    private var hasReportedEnd = false
    private var watch = DecodeWatch()

    /// - Parameter clock: reads the time by which the session plays.
    init(_ session: PlaybackSession, clock: @escaping () -> Monotonic) {
        (self.session, self.clock) = (session, clock)
        intake = SessionIntake(session, clock: clock)
    }

    func run() {
        open()
        while !session.stopping.isRaised {
            if let pause = turn() { session.wakeup.wait(until: clock() + pause) }
        }
        publish()
    }

    /// Executes the commands that wait, and reads a portion.
    /// - Returns: how long to wait for something to do; nil if there is more.
    func turn() -> Nanoseconds? {
        watchDecoding()
        takeCommands()
        carryOut()
        switch advance() {
        case .progressed: return nil
        case .overtaken:
            reread()
            return nil
        case .waiting:
            publish()
            return Self.nap
        case .ended:
            publish()
            return finish()
        }
    }

    private var head: PlaybackClockControl { session.head.value }

    // MARK: The reader

    func open() {
        defer { publish() }
        do throws(SourceFailure) {
            let reader = try session.provider.open(into: intake)
            self.reader = reader
            goBack(at: clock())
            reader.choose(session.options.choice)
        } catch {
            failed(error)
        }
    }

    private func advance() -> ReaderProgress {
        guard let reader else { return .waiting }
        do throws(SourceFailure) {
            return try reader.advance()
        } catch {
            failed(error)
            return .waiting
        }
    }

    private func failed(_ failure: SourceFailure) {
        reader = nil
        session.report(.failed(session: session.id, why: failure.why))
    }

    /// Takes the session from a decode thread that hangs, and gives it to another, which begins with the picture that
    /// is due. When too many hang, the session fails.
    private func watchDecoding() {
        let (run, now) = (session.decoding, clock())
        let renewal = run.lease.renewal
        guard watch.isStuck(renewal, at: now), let renewal, run.lease.takeAway(renewedLast: renewal) else { return }
        watch = DecodeWatch()
        if let next = session.replaceDecoding() {
            intake.decodingReplaced(by: next)
            reread()
        } else if reader != nil {
            failed(SourceFailure("\(run.hanging + 1) decoders hang"))
        }
    }

    // MARK: Commands

    private func takeCommands() {
        for command in session.commands.takeAll() {
            let now = clock()
            switch command {
            case .play: setHead { $0.play(at: now) }
            case .pause: setHead { $0.pause(at: now) }
            case .seek(let target, let epoch): jump = .seek(target, epoch: epoch)
            case .select(let choice): pendingChoice = choice
            case .lengthenDelay(let delay): setHead { $0.lengthen(to: delay, at: now) }
            case .steer(let rate): setHead { $0.steer(by: rate, at: now) }
            case .putOff(let span):
                setHead { $0.putOff(by: span, at: now) }
                publish()
            case .setVisible(let isVisible): if intake.setVisible(isVisible), isVisible { reread() }
            }
        }
    }

    /// Not needed before a seek, which leads to pictures that can be decoded anyway.
    private func reread() { if jump == nil { jump = .reread } }

    private func carryOut() {
        if let choice = pendingChoice {
            pendingChoice = nil
            reader?.choose(choice)
        }
        let now = clock()
        switch jump {
        case nil: break
        case .reread:
            prepareJump(isReread: true)
            goBack(at: now)
        case .seek(let target, let epoch):
            prepareJump(isReread: false)
            seek(to: target, epoch: epoch, at: now)
        }
        jump = nil
        session.head.change { $0.advance(to: now) }
    }

    private func prepareJump(isReread: Bool) {
        intake.placeChanges(isReread: isReread)
        hasReportedEnd = false
    }

    /// Reads on from the picture that is presented, or from the oldest that is kept.
    private func goBack(at now: Monotonic) {
        let move = reader?.reread(from: head, at: now) ?? .stay
        if move != .stay { set(move, epoch: head.state.epoch, at: now) }
    }

    private func seek(to target: SeekTarget, epoch: Int, at now: Monotonic) {
        intake.count { $0.seeks += 1 }
        set(reader?.seek(to: target, from: head, at: now) ?? .stay, epoch: epoch, at: now)
        session.report(.positioned(session: session.id, epoch: epoch, session.position.value))
    }

    // MARK: The playback clock

    private func set(_ move: PlaybackClockMove, epoch: Int, at now: Monotonic) {
        setHead { head in
            switch move {
            case .behindLive(let offset): head.seek(behindLive: offset, epoch: epoch, at: now)
            case .anchor(let time, let due):
                head.begin(epoch: epoch)
                head.anchor(time, at: due)
            case .stay: head.begin(epoch: epoch)
            }
        }
        publish()
    }

    private func setHead(_ change: (inout PlaybackClockControl) -> Void) {
        session.head.change {
            change(&$0)
            return true
        }
        session.frames.wakeReader()
    }

    private func publish() {
        session.counters.set(intake.counters.adding(session.decoding.counters.value))
        if let reader { session.position.set(reader.position(of: head, at: clock())) }
    }

    // MARK: The end

    /// The time until what was queued has been presented; nil if nothing was queued.
    private var timeToEnd: Nanoseconds? {
        let (now, head) = (clock(), head)
        let last = session.decoding.pictures.picturesEnd ?? intake.soundEnd
        return last.map { $0 + head.state.delay - head.instant(at: now) }
    }

    /// Nothing is left to read: the last picture is shown for its time, and then the end is reported once.
    /// - Returns: how long to wait before the next call.
    private func finish() -> Nanoseconds {
        let pictures = session.decoding.pictures
        pictures.endGeneration()
        guard pictures.isFinished else { return Self.nap }
        if let left = timeToEnd, left > .zero { return min(left, Self.nap) }
        if !hasReportedEnd {
            hasReportedEnd = true
            session.frames.expectsPictures = false
            session.report(.ended(session: session.id))
        }
        return Self.nap
    }
}
