// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time
import Timelines

/// The state of a region: which picture of its queue is due, and which is shown. Draws nothing and reads no clock.
/// - Thread: the render thread.
final class RegionState {
    /// A playing session counts as starved after this time without a picture, and in a slide show after one and a half times
    /// the time from one picture to the next.
    static let patience = Nanoseconds.milliseconds(500)
    private static let longestPatience = Nanoseconds.seconds(20)

    /// What the next present shows for the first time in this region.
    enum Change { case none, slate, picture(PendingPicture, due: Monotonic, Cadence.Place?), field }

    private(set) var name: String
    /// The index of the region's cell in the counter table, and of its slot in a compositor.
    let slot: Int
    private(set) var queue: FrameQueue?
    private(set) var slate: Slate?
    private(set) var logo: Logo?
    private(set) var change = Change.none
    private(set) var counters: RegionCounters
    /// The shape of the shown picture; nil if no picture is shown.
    private(set) var shape: PictureShape?
    var isOnStage = false { didSet { counters.isOnStage = isOnStage } }

    private var pending: TimedFrame?
    private var next: PendingPicture?
    /// Relates the time stamp of the shown picture to its media time.
    private var correlation = StreamCorrelation(offset: .zero)
    private var presented: TimedFrame?
    /// The picture on the screen until the change is visible; until then a plane may still scan out its memory.
    private var outgoing: TimedFrame?
    /// When the second field of the shown picture is due; nil if it has none or the field has been shown.
    private var secondField: (due: Monotonic, vblank: Int64?)?
    private var field: VideoFrame.Field?
    private(set) var contentRate = ContentRate()
    private var cadence = Cadence()
    private var judder = JudderMeter()
    /// The epoch whose first picture has been reported.
    private var reportedEpoch: Int?
    /// When the last picture of the bound session became visible.
    private var lastPresented: Monotonic?
    /// The picture that was taken last, and the media time from the one before it to this.
    private var spacing: (last: PendingPicture?, span: Nanoseconds) = (nil, .zero)
    private var isStarved = false
    private var isRefusalKnown = false

    init(name: String, slot: Int) {
        self.name = name
        self.slot = slot
        counters = RegionCounters(name: name)
    }

    /// The pattern that spreads pictures over vblanks; nil without vblanks.
    var pattern: CadencePattern? { cadence.pattern }

    var hasChange: Bool { if case .none = change { false } else { true } }

    func bind(_ new: FrameQueue?) {
        queue = new
        if let new { (counters.session, counters.hasPicture) = (new.session, false) }
        pending = nil
        next = nil
        secondField = nil
        cadence = Cadence()
        contentRate.reset()
        judder.reset()
        reportedEpoch = nil
        lastPresented = nil
        spacing = (nil, .zero)
        isStarved = false
        isRefusalKnown = false
    }

    /// The regions exchange their names, so that each goes on in the place of the other. What was counted stays with the
    /// name; the session and its picture go along.
    func exchangePlaces(with other: RegionState) {
        swap(&name, &other.name)
        swap(&counters, &other.counters)
        swap(&counters.session, &other.counters.session)
        swap(&counters.hasPicture, &other.counters.hasPicture)
        swap(&counters.presentedPTS, &other.counters.presentedPTS)
        swap(&counters.pictureErrorUs, &other.counters.pictureErrorUs)
    }

    /// Another output shows the region from now on: its vblanks and planes have nothing to do with those before.
    func outputChanged() {
        secondField?.vblank = nil
        cadence = Cadence()
        judder.reset()
        isRefusalKnown = false
    }

    /// The output refused a plane for the region's picture. Reported once for each session.
    func planeRefused(_ why: String, _ report: (StageReport) -> Void) {
        guard !isRefusalKnown, let session = queue?.session, hasNewPicture || lastPresented != nil else { return }
        isRefusalKnown = true
        report(.planeRefused(session: session, why: why))
    }

    func show(_ new: Slate) {
        guard new != slate else { return }
        slate = new
        outgoing = presented.take()
        shape = nil
        secondField = nil
        change = .slate
    }

    /// A slate that is shown is drawn again with its new logo.
    func setLogo(_ new: Logo?) {
        guard new !== logo else { return }
        logo = new
        if slate != nil { change = .slate }
    }

    /// Whether the region shows a picture with all its rows, and not a single field.
    var showsWholePicture: Bool { shape != nil && field == nil }

    /// The time stamp of the shown picture; nil if none is shown.
    var shownPTS: Int64? { shape == nil ? nil : counters.presentedPTS }

    /// The time stamp that is presented at an instant, as a span: between two of pictures, if need be.
    /// - Returns: nil if no picture is shown.
    func position(at instant: Monotonic) -> Nanoseconds? {
        guard let shownPTS, let head = queue?.playbackClock.state else { return nil }
        guard !head.isPaused else { return TickRate.mpeg.nanoseconds(shownPTS) }
        return Nanoseconds((instant - head.delay - correlation.offset).nanoseconds)
    }

    var hasNewPicture: Bool { if case .picture = change { true } else { false } }

    /// Calls `body` with the shown picture and field; does nothing if no picture is shown.
    func withPicture<Failure: Error>(
        _ body: (borrowing VideoFrame, VideoFrame.Field?) throws(Failure) -> Void
    ) throws(Failure) {
        switch presented {
        case .some(let picture): try body(picture.frame, field)
        case .none: break
        }
    }

    /// Takes the newest picture that is due. Older pictures that are due as well are counted as late and skipped.
    func advance(by horizon: Horizon, _ total: inout StageCounters) {
        guard let queue, !hasChange else { return }
        let head = queue.playbackClock.state
        cadence.isShared = head.isShared
        takeNext(from: queue, epoch: head.epoch, &total)
        while let picture = next, let due = picture.due(by: head, now: horizon.now),
            let spot = spot(of: picture, due, by: horizon)
        {
            let taken = pending.take()
            next = nil
            contentRate.note(picture.time)
            follow(spot, picture, due, horizon, &total)
            takeNext(from: queue, epoch: head.epoch, &total)
            if let newer = next, let newerDue = newer.due(by: head, now: horizon.now),
                let newerSpot = self.spot(of: newer, newerDue, by: horizon)
            {
                leaveOut(spot, for: newerSpot, &total)
                continue
            }
            outgoing = presented.take()
            presented = taken
            slate = nil
            begin(picture, due: due, spot.place)
        }
        guard let second = secondField, !hasChange, isDue(second, by: horizon) else { return }
        secondField = nil
        field = field == .top ? .bottom : .top
        change = .field
    }

    /// The place of a due picture in the cadence; without vblanks it has none.
    private struct Spot { var place: Cadence.Place? }

    /// - Returns: nil if the picture is not due yet.
    private func spot(of picture: PendingPicture, _ due: Monotonic, by horizon: Horizon) -> Spot? {
        guard let (number, clock) = horizon.vblank, !picture.isImmediate else {
            return due <= horizon.now ? Spot() : nil
        }
        let place = cadence.place(picture.time, due: due, on: clock)
        return place.vblank <= number ? Spot(place: place) : nil
    }

    private func isDue(_ second: (due: Monotonic, vblank: Int64?), by horizon: Horizon) -> Bool {
        guard let (number, clock) = horizon.vblank else { return second.due <= horizon.now }
        return (second.vblank ?? clock.vblank(nearest: second.due)) <= number
    }

    /// Advances the cadence by a picture that is due, and counts its shift.
    private func follow(
        _ spot: Spot, _ picture: PendingPicture, _ due: Monotonic, _ horizon: Horizon, _ total: inout StageCounters
    ) {
        guard let place = spot.place, let clock = horizon.vblank?.clock else { return cadence.reset() }
        if place.shift > 0 { total.pacing.repeats += 1 }
        if place.shift < 0 { total.pacing.drops += 1 }
        cadence.take(place, picture.time, due: due, on: clock)
    }

    private func leaveOut(_ spot: Spot, for newer: Spot, _ total: inout StageCounters) {
        let hasNoVBlank = spot.place != nil && spot.place?.vblank == newer.place?.vblank
        if let place = spot.place {
            total.pacing.judder += judder.leftOut(place, isLate: !hasNoVBlank)
        }
        if hasNoVBlank {
            total.pacing.picturesLeftOut += 1
        } else {
            counters.picturesLate += 1
            total.picturesLate += 1
        }
    }

    private func begin(_ picture: PendingPicture, due: Monotonic, _ place: Cadence.Place?) {
        field = nil
        secondField = nil
        switch presented {
        case .some(let shown):
            (counters.presentedPTS, counters.hasPicture) = (shown.frame.pts, true)
            let stamp = Monotonic(nanoseconds: TickRate.mpeg.nanoseconds(shown.frame.pts).count)
            correlation = StreamCorrelation(offset: picture.time - stamp)
            shape = PictureShape(shown.frame)
            if picture.fieldSpan > .zero {
                field = shown.frame.fields == .bottomFirst ? .bottom : .top
                secondField = (due + picture.fieldSpan, place.map { cadence.secondField(of: $0) })
            }
        case .none: break
        }
        change = .picture(picture, due: due, place)
        let before = spacing.last.flatMap { $0.epoch == picture.epoch ? $0 : nil }
        spacing = (picture, before.map { max(.zero, picture.time - $0.time) } ?? .zero)
    }

    private var patience: Nanoseconds { max(Self.patience, min(spacing.span * 3 / 2, Self.longestPatience)) }

    /// Takes the next picture of the epoch; pictures of other epochs are discarded.
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

    /// The picture that has become visible by this outcome; nil if the change is another one.
    func presentation(_ outcome: Horizon.Outcome) -> PresentationLog.Entry? {
        guard case .picture(_, let due, _) = change, let session = queue?.session else { return nil }
        return PresentationLog.Entry(
            session: session, pts: counters.presentedPTS, due: due, visible: outcome.instant)
    }

    /// The change has become visible.
    func settle(_ outcome: Horizon.Outcome, _ total: inout StageCounters, _ report: (StageReport) -> Void) {
        defer { change = .none }
        outgoing = nil
        switch change {
        case .none: break
        case .slate:
            total.slatesShown += 1
            report(.slateShown)
        case .field:
            counters.fieldsPresented += 1
            total.fieldsPresented += 1
        case .picture(let picture, let due, let place):
            let visible = outcome.instant
            lastPresented = visible
            if let place, let vblank = outcome.vblank {
                total.pacing.judder += judder.shown(place, at: vblank)
            } else {
                judder.reset()
            }
            counters.picturesPresented += 1
            total.picturesPresented += 1
            counters.pictureErrorUs = (visible - due).microseconds
            if visible - due > max(.milliseconds(20), outcome.span) {
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

    /// - Parameter pacer: nil if there are no vblanks.
    /// - Returns: the latest instant at which the caller must look at this region again.
    func deadline(
        at now: Monotonic, by pacer: Pacer?, _ total: inout StageCounters, _ report: (StageReport) -> Void
    ) -> Monotonic? {
        guard let queue else { return nil }
        let head = queue.playbackClock.state
        // With vblanks, `advance` runs only when a slot has opened, so the next picture may still be in the queue. It
        // is taken here, because its deadline must be known.
        if pacer != nil { takeNext(from: queue, epoch: head.epoch, &total) }
        var deadline = noticeStarvation(of: queue, isPaused: head.isPaused, at: now, &total, report)
        if let picture = next, let due = picture.due(by: head, now: now) {
            var begin = due
            if let pacer, !picture.isImmediate {
                begin = pacer.opening(of: cadence.place(picture.time, due: due, on: pacer.clock).vblank)
            }
            deadline = min(deadline, begin)
        }
        if let second = secondField {
            var begin = second.due
            if let pacer { begin = pacer.opening(of: second.vblank ?? pacer.clock.vblank(nearest: second.due)) }
            deadline = min(deadline, begin)
        }
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
        guard now - last >= patience else { return last + patience }
        isStarved = true
        counters.starvations += 1
        total.starvations += 1
        report(.starved(session: queue.session))
        return now + Self.patience
    }
}
