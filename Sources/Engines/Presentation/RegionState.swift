// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// One region in time: which picture of its queue is due, which one it shows. It draws nothing and reads no clock.
/// - Thread: the render thread.
final class RegionState {
    /// A picture that has not come for so long is missed.
    static let patience = Nanoseconds.milliseconds(500)

    /// What the next present will show for the first time.
    enum Change { case none, slate, picture(PendingPicture, due: Monotonic), field }

    let name: String
    /// Of its counters' cell.
    let slot: Int
    private(set) var queue: FrameQueue?
    private(set) var slate: Slate?
    private(set) var change = Change.none
    private(set) var counters: RegionCounters
    /// Of the picture that is shown; nil when none is.
    private(set) var shape: PictureShape?
    var isOnStage = false { didSet { counters.isOnStage = isOnStage } }

    private var pending: TimedFrame?
    private var next: PendingPicture?
    private var presented: TimedFrame?
    /// Of the picture shown, when it has a second field that was not.
    private var secondFieldDue: Monotonic?
    private var field: VideoFrame.Field?
    /// Whose first picture was reported.
    private var reportedEpoch: Int?
    /// When the last picture of the bound session was shown.
    private var lastPresented: Monotonic?
    private var isStarved = false

    init(name: String, slot: Int) {
        self.name = name
        self.slot = slot
        counters = RegionCounters(name: name)
    }

    var hasChange: Bool { if case .none = change { false } else { true } }

    func bind(_ new: FrameQueue?) {
        queue = new
        if let new { counters.session = new.session }
        pending = nil
        next = nil
        secondFieldDue = nil
        reportedEpoch = nil
        lastPresented = nil
        isStarved = false
    }

    func show(_ new: Slate) {
        guard new != slate else { return }
        slate = new
        presented = nil
        shape = nil
        secondFieldDue = nil
        change = .slate
    }

    /// Lends what is shown of the session; nothing when a slate is.
    func withPicture<Failure: Error>(
        _ body: (borrowing VideoFrame, VideoFrame.Field?) throws(Failure) -> Void
    ) throws(Failure) {
        switch presented {
        case .some(let picture): try body(picture.frame, field)
        case .none: break
        }
    }

    /// Takes the newest picture that is due by `now`; older ones that are due as well are late and skipped whole.
    func advance(at now: Monotonic, _ total: inout StageCounters) {
        guard let queue, !hasChange else { return }
        let head = queue.playHead.state
        takeNext(from: queue, epoch: head.epoch, &total)
        while let picture = next, let due = picture.due(by: head, now: now), due <= now {
            let taken = pending.take()
            next = nil
            takeNext(from: queue, epoch: head.epoch, &total)
            if let newer = next, let newerDue = newer.due(by: head, now: now), newerDue <= now {
                counters.picturesLate += 1
                total.picturesLate += 1
                continue
            }
            presented = taken
            slate = nil
            begin(picture, due: due)
        }
        guard let due = secondFieldDue, due <= now, !hasChange else { return }
        secondFieldDue = nil
        field = field == .top ? .bottom : .top
        change = .field
    }

    private func begin(_ picture: PendingPicture, due: Monotonic) {
        field = nil
        secondFieldDue = nil
        switch presented {
        case .some(let shown):
            counters.presentedPTS = shown.frame.pts
            shape = PictureShape(shown.frame)
            if picture.fieldSpan > .zero {
                field = shown.frame.fields == .bottomFirst ? .bottom : .top
                secondFieldDue = due + picture.fieldSpan
            }
        case .none: break
        }
        change = .picture(picture, due: due)
    }

    /// Throws pictures of other epochs away.
    private func takeNext(from queue: FrameQueue, epoch: Int, _ total: inout StageCounters) {
        if let waiting = next, waiting.epoch != epoch {
            pending = nil
            next = nil
            counters.picturesDiscarded += 1
            total.picturesDiscarded += 1
        }
        while next == nil {
            pending = queue.take()
            guard let time = pending?.time, let ofEpoch = pending?.epoch else { return }
            guard ofEpoch == epoch else {
                counters.picturesDiscarded += 1
                total.picturesDiscarded += 1
                continue
            }
            next = PendingPicture(
                time: time, epoch: ofEpoch, isImmediate: pending?.isImmediate ?? false,
                fieldSpan: pending?.fieldSpan ?? .zero)
        }
    }

    /// What changed is on the screen since `visible`.
    func settle(at visible: Monotonic, _ total: inout StageCounters, _ report: (StageReport) -> Void) {
        defer { change = .none }
        switch change {
        case .none: break
        case .slate:
            total.slatesShown += 1
            report(.slateShown)
        case .field:
            counters.fieldsPresented += 1
            total.fieldsPresented += 1
        case .picture(let picture, let due):
            lastPresented = visible
            counters.picturesPresented += 1
            total.picturesPresented += 1
            counters.pictureErrorUs = (visible - due).microseconds
            if visible - due > .milliseconds(20) {
                counters.picturesDelayed += 1
                total.picturesDelayed += 1
            }
            guard let session = queue?.session else { return }
            if isStarved {
                isStarved = false
                report(.fed(session: session))
            }
            if reportedEpoch != picture.epoch {
                reportedEpoch = picture.epoch
                report(.firstPicture(session: session, epoch: picture.epoch, at: visible))
            }
        }
    }

    /// - Returns: when to look again, at the latest.
    func deadline(at now: Monotonic, _ total: inout StageCounters, _ report: (StageReport) -> Void) -> Monotonic? {
        guard let queue else { return nil }
        let head = queue.playHead.state
        var deadline = noticeStarvation(of: queue, isPaused: head.isPaused, at: now, &total, report)
        if let due = next?.due(by: head, now: now) { deadline = min(deadline, due) }
        if let due = secondFieldDue { deadline = min(deadline, due) }
        return deadline
    }

    private func noticeStarvation(
        of queue: FrameQueue, isPaused: Bool, at now: Monotonic, _ total: inout StageCounters,
        _ report: (StageReport) -> Void
    ) -> Monotonic {
        if isPaused, lastPresented != nil { lastPresented = now }
        guard let last = lastPresented, next == nil, !isPaused, !isStarved, queue.expectsPictures else {
            return now + Self.patience
        }
        guard now - last >= Self.patience else { return last + Self.patience }
        isStarved = true
        counters.starvations += 1
        total.starvations += 1
        report(.starved(session: queue.session))
        return now + Self.patience
    }
}
