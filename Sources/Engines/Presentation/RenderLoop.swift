// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Media
import System
import Time

/// The render thread's own state: which picture is due, which is on the screen. Made and used on that thread only.
final class RenderLoop<Output: StageOutput & ~Copyable> {
    /// A picture that has not come for so long is missed.
    private static var patience: Nanoseconds { .milliseconds(500) }

    private let commands: Mailbox<StageCommand>
    private let wakeup: Wakeup
    private let published: LatestValue<StageCounters>
    private let report: @Sendable (StageReport) -> Void
    private let painter: Painter
    private var output: Output
    private var counters = StageCounters()
    private var queue: FrameQueue?
    private var pending: TimedFrame?
    private var next: PendingPicture?
    /// The picture on the screen; nil while a slate is.
    private var presented: TimedFrame?
    /// Of the picture on the screen, when it has a second field that was not shown.
    private var secondFieldDue: Monotonic?
    private var field: VideoFrame.Field?
    private var slate: Slate?
    /// Whose first picture was reported.
    private var reportedEpoch: Int?
    /// When the last picture of the bound session was shown.
    private var lastPresented: Monotonic?
    private var isStarved = false
    private var lastAlive = Monotonic(nanoseconds: 0)

    init(
        _ output: consuming Output, commands: Mailbox<StageCommand>, wakeup: Wakeup,
        counters: LatestValue<StageCounters>, report: @escaping @Sendable (StageReport) -> Void
    ) {
        painter = Painter(size: output.size)
        self.output = output
        self.commands = commands
        self.wakeup = wakeup
        published = counters
        self.report = report
    }

    func run(until stopping: StopFlag) {
        let tick = Nanoseconds.milliseconds(500)
        while !stopping.isRaised {
            for command in commands.takeAll() { perform(command) }
            let now = SystemClock.monotonic()
            var deadline = now + tick
            if let queue { deadline = min(deadline, present(from: queue, at: now)) }
            if now - lastAlive >= .seconds(1) {
                lastAlive = now
                report(.alive)
            }
            wakeup.wait(until: deadline)
        }
    }

    private func perform(_ command: StageCommand) {
        switch command {
        case .bind(let new, region: "main"):
            bind(new)
        case .unbind(let session):
            guard queue?.session == session else { return }
            bind(nil)
        case .showSlate(let new, region: "main"):
            show(new)
        case .setLayout, .bind, .showSlate, .setOverlay, .setTicker: break
        case .takeScreenshot(let screenshot):
            // An output that draws nothing has no front: what it would show is drawn for the asker.
            if !output.readFront({ $0.copyTo(screenshot.canvas) }) { paint(on: screenshot.canvas) }
            report(.screenshotTaken(screenshot))
        }
    }

    private func bind(_ new: FrameQueue?) {
        queue = new
        pending = nil
        next = nil
        secondFieldDue = nil
        reportedEpoch = nil
        lastPresented = nil
        isStarved = false
    }

    /// Presents the newest picture that is due; older ones that are due as well are late and skipped whole.
    /// - Returns: when to look again.
    private func present(from queue: FrameQueue, at now: Monotonic) -> Monotonic {
        let head = queue.playHead.state
        takeNext(from: queue, epoch: head.epoch)
        while let picture = next, let due = picture.due(by: head, now: now), due <= now {
            let taken = pending.take()
            next = nil
            takeNext(from: queue, epoch: head.epoch)
            if let newer = next, let newerDue = newer.due(by: head, now: now), newerDue <= now {
                counters.picturesLate += 1
                continue
            }
            presented = taken
            slate = nil
            show(picture, due: due, session: queue.session)
        }
        showSecondField(at: now)
        var deadline = noticeStarvation(of: queue, isPaused: head.isPaused, at: now)
        if let due = next?.due(by: head, now: now) { deadline = min(deadline, due) }
        if let due = secondFieldDue { deadline = min(deadline, due) }
        return deadline
    }

    /// Throws pictures of other epochs away.
    private func takeNext(from queue: FrameQueue, epoch: Int) {
        if let waiting = next, waiting.epoch != epoch {
            pending = nil
            next = nil
            counters.picturesDiscarded += 1
        }
        while next == nil {
            pending = queue.take()
            guard let time = pending?.time, let ofEpoch = pending?.epoch else { return }
            guard ofEpoch == epoch else {
                counters.picturesDiscarded += 1
                continue
            }
            next = PendingPicture(
                time: time, epoch: ofEpoch, isImmediate: pending?.isImmediate ?? false,
                fieldSpan: pending?.fieldSpan ?? .zero)
        }
    }

    private func show(_ picture: PendingPicture, due: Monotonic, session: Int) {
        counters.presentedPTS = presented?.frame.pts ?? counters.presentedPTS
        field = nil
        secondFieldDue = nil
        if picture.fieldSpan > .zero {
            field = presented?.frame.fields == .bottomFirst ? .bottom : .top
            secondFieldDue = due + picture.fieldSpan
        }
        let visible = show()
        lastPresented = visible
        counters.picturesPresented += 1
        counters.pictureErrorUs = (visible - due).microseconds
        if visible - due > .milliseconds(20) { counters.picturesDelayed += 1 }
        published.set(counters)
        if isStarved {
            isStarved = false
            report(.fed(session: session))
        }
        if reportedEpoch != picture.epoch {
            reportedEpoch = picture.epoch
            report(.firstPicture(session: session, epoch: picture.epoch, at: visible))
        }
    }

    private func showSecondField(at now: Monotonic) {
        guard let due = secondFieldDue, due <= now else { return }
        secondFieldDue = nil
        field = field == .top ? .bottom : .top
        _ = show()
        counters.fieldsPresented += 1
        published.set(counters)
    }

    /// - Returns: when to look for it again, at the latest.
    private func noticeStarvation(of queue: FrameQueue, isPaused: Bool, at now: Monotonic) -> Monotonic {
        if isPaused, lastPresented != nil { lastPresented = now }
        guard let last = lastPresented, next == nil, !isPaused, !isStarved, queue.expectsPictures else {
            return now + Self.patience
        }
        guard now - last >= Self.patience else { return last + Self.patience }
        isStarved = true
        counters.starvations += 1
        published.set(counters)
        report(.starved(session: queue.session))
        return now + Self.patience
    }

    private func show(_ new: Slate) {
        guard new != slate else { return }
        slate = new
        presented = nil
        secondFieldDue = nil
        _ = show()
        counters.slatesShown += 1
        published.set(counters)
        report(.slateShown)
    }

    /// - Returns: when it is visible.
    private func show() -> Monotonic {
        if output.wantsPictures { output.compose { canvas in paint(on: canvas) } }
        return output.present(now: SystemClock.monotonic())
    }

    private func paint(on canvas: borrowing CanvasBuffer) {
        do {
            switch presented {
            case .some(let picture): try painter.draw(picture.frame, field: field, on: canvas)
            case .none: if let slate { try painter.draw(slate, on: canvas) }
            }
        } catch {
            if counters.drawErrors == 0 { report(.drawFailed("\(error)")) }
            counters.drawErrors += 1
        }
    }
}
