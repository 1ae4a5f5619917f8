// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import System
import Time

/// The decode thread's own state: coded pictures through the decoder into the queue of the stage. Made and used on that
/// thread only.
final class DecodeLoop {
    /// How long it sleeps at most before it looks at `stopping` again.
    private static let nap = Nanoseconds.milliseconds(100)
    /// How long it waits for the decoders of sessions that are being closed. One that hangs is not waited for longer.
    private static let longestHandover = Nanoseconds.milliseconds(500)
    private static let handoverLook = Nanoseconds.milliseconds(10)

    let session: PlaybackSession
    let clock: () -> Monotonic
    var counters = DecodingCounters()
    /// While it runs.
    var video: VideoPath?
    /// Of the pictures that come; see `CodedPictures`.
    private var generation = 0
    private var epoch = 0
    /// The next picture is shown as soon as it is there: what is due by then is found behind it.
    private var isCatchingUp = false
    /// The next picture is due when it comes.
    private var anchorsNext = false
    /// No picture of the channel has been put yet.
    private var awaitsFirst = true
    /// Media time at which the newest picture makes way for the next.
    private(set) var picturesEnd: Monotonic?
    private var lastOpening: LadderDecoder.Opening?
    /// Of the play-head that were seen.
    private var moves = 0

    /// - Parameter clock: by which pictures are due, and decoding is timed.
    init(_ session: PlaybackSession, clock: @escaping () -> Monotonic = SystemClock.monotonic) {
        self.session = session
        self.clock = clock
    }

    func run() {
        let video = VideoPath(self)
        self.video = video
        awaitPredecessors()
        while !session.stopping.isRaised {
            let hasDecoded = video.decodeNext()
            session.decoding.set(counters)
            if !hasDecoded { session.decodeWakeup.wait(until: SystemClock.monotonic() + Self.nap) }
        }
        self.video = nil
    }

    /// A device has few places. The session that this one follows gives its place back with its last act.
    private func awaitPredecessors() {
        let options = session.options
        guard options.decoding != .software, !options.decoders.budget.inventory.devices.isEmpty else { return }
        let deadline = SystemClock.monotonic() + Self.longestHandover
        while !session.stopping.isRaised, !options.predecessors.allSatisfy(\.isReached) {
            let now = SystemClock.monotonic()
            guard now < deadline else { return }
            SystemClock.sleep(until: now + Self.handoverLook)
        }
    }

    /// The stream has another decoder, or none.
    func decoderOpened(_ opening: LadderDecoder.Opening) {
        if opening.rung != .none { counters.decoderStarts += 1 }
        counters.decoderRung = opening.rung.number
        guard opening != lastOpening else { return }
        lastOpening = opening
        session.report(.decoderChanged(session: session.id, opening))
    }

    /// Whether pictures have to wait.
    var isFull: Bool { session.frames.isFull }

    /// The first unit of a generation comes.
    func begin(_ entry: CodedPictures.Entry) {
        generation = entry.generation
        epoch = entry.epoch
        picturesEnd = nil
        switch entry.beginning {
        case .ofChannel: return
        case .catchingUp:
            isCatchingUp = true
            anchorsNext = false
            awaitsFirst = false
        case .anchored:
            isCatchingUp = false
            anchorsNext = true
        }
    }

    /// Until `time` should have been presented, as far as that says anything of the decoder; negative: early.
    func lateness(of time: Monotonic) -> Nanoseconds? {
        let control = seenHead()
        guard !isCatchingUp, !anchorsNext, !awaitsFirst, !control.isPaused else { return nil }
        return clock() - (time + control.state.delay)
    }

    /// The first picture of a channel, alone and ahead of its time.
    func showAtOnce(_ frame: consuming VideoFrame, time: Monotonic) {
        guard awaitsFirst else { return }
        enqueue(frame, time: time, isImmediate: true, fieldSpan: .zero)
    }

    /// - Parameter isPoint: of a random-access point: shown however late, so that there always is a picture.
    func pictureDecoded(
        _ frame: consuming VideoFrame, time: Monotonic, span: Nanoseconds, isDamaged: Bool, isPoint: Bool
    ) {
        guard let isImmediate = isShown(at: time, span, isDamaged: isDamaged, isPoint: isPoint) else { return }
        picturesEnd = time + span
        let fieldSpan = frame.fields == .progressive ? .zero : span / 2
        enqueue(frame, time: time, isImmediate: isImmediate, fieldSpan: fieldSpan)
    }

    /// Whether a picture is shown as soon as it is there, rather than in its time; nil: it is left out.
    private func isShown(at time: Monotonic, _ span: Nanoseconds, isDamaged: Bool, isPoint: Bool) -> Bool? {
        if isDamaged, !session.options.showsDamage {
            counters.picturesHeld += 1
            return nil
        }
        let now = clock()
        var isImmediate = false
        if anchorsNext {
            anchorsNext = false
            changeHead { $0.anchor(time, at: now) }
            isImmediate = true
        }
        if awaitsFirst {
            awaitsFirst = false
            if session.options.stretchesAtStart {
                changeHead { $0.startStretching(from: now - time + span, at: now) }
            }
        }
        let control = seenHead()
        let due = time + control.state.delay
        if isCatchingUp {
            guard due + span / 2 >= control.instant(at: now) else {
                counters.picturesPassed += 1
                return nil
            }
            isCatchingUp = false
            session.pictures.catchUp(generation)
            isImmediate = true
        } else if !control.isPaused, let video, !video.isWanted(lateness: now - due, isPoint: isPoint, at: now) {
            counters.picturesTooLate += 1
            return nil
        }
        return isImmediate
    }

    private func enqueue(
        _ frame: consuming VideoFrame, time: Monotonic, isImmediate: Bool, fieldSpan: Nanoseconds
    ) {
        session.frames.put(
            TimedFrame(frame: frame, time: time, epoch: epoch, isImmediate: isImmediate, fieldSpan: fieldSpan))
    }

    /// The play-head, as others may have moved it.
    private func seenHead() -> PlayHeadControl {
        let control = session.head.value
        if control.moves != moves {
            moves = control.moves
            video?.playHeadMoved()
        }
        return control
    }

    /// Not when a command has meanwhile put it elsewhere.
    private func changeHead(_ change: (inout PlayHeadControl) -> Void) {
        let (generation, pictures) = (generation, session.pictures)
        let isChanged = session.head.change { control in
            guard pictures.generation == generation else { return false }
            change(&control)
            return true
        }
        if isChanged { session.frames.wakeReader() }
    }
}

extension LadderDecoder.Rung {
    /// As counted in `PlaybackCounters.decoderRung`.
    fileprivate var number: Int64 {
        switch self {
        case .none: 0
        case .software: 1
        case .device: 2
        }
    }
}
