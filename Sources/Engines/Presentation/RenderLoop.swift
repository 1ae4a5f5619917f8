// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Media
import System
import Time

/// The render thread's own state: which picture is due, which is on the screen. Made and used on that thread only.
final class RenderLoop<Output: StageOutput & ~Copyable> {
    private let commands: Mailbox<StageCommand>
    private let wakeup: Wakeup
    private let published: LatestValue<StageCounters>
    private let report: @Sendable (StageReport) -> Void
    private let painter: Painter
    private var output: Output
    private var counters = StageCounters()
    private var queue: FrameQueue?
    private var pending: TimedFrame?
    private var pendingDue: Monotonic?
    /// The picture on the screen; nil while a slate is.
    private var presented: TimedFrame?
    private var slate: Slate?
    private var awaitsFirstPicture = false
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
            presentDue(at: now)
            if now - lastAlive >= .seconds(1) {
                lastAlive = now
                report(.alive)
            }
            wakeup.wait(until: min(pendingDue ?? now + tick, now + tick))
        }
    }

    private func perform(_ command: StageCommand) {
        switch command {
        case .bind(let new):
            queue = new
            dropPending()
            awaitsFirstPicture = true
        case .unbind(let session):
            guard queue?.session == session else { return }
            queue = nil
            dropPending()
        case .showSlate(let new):
            show(new)
        case .takeScreenshot(let screenshot):
            // An output that draws nothing has no front: what it would show is drawn for the asker.
            if !output.readFront({ $0.copyTo(screenshot.canvas) }) { paint(on: screenshot.canvas) }
            report(.screenshotTaken(screenshot))
        }
    }

    private func dropPending() {
        pending = nil
        pendingDue = nil
    }

    /// Presents the newest picture that is due; older ones that are due as well are late and skipped whole.
    private func presentDue(at now: Monotonic) {
        fillPending()
        while let due = pendingDue, due <= now {
            let picture = pending.take()
            pendingDue = nil
            fillPending()
            if let next = pendingDue, next <= now {
                counters.picturesLate += 1
                continue
            }
            presented = picture
            slate = nil
            showPicture(due: due)
        }
    }

    private func fillPending() {
        guard pendingDue == nil, let queue else { return }
        pending = queue.take()
        pendingDue = pending?.due
    }

    private func showPicture(due: Monotonic) {
        counters.presentedPTS = presented?.frame.pts ?? counters.presentedPTS
        let visible = show()
        counters.picturesPresented += 1
        if visible - due > .milliseconds(20) { counters.picturesDelayed += 1 }
        published.set(counters)
        if awaitsFirstPicture, let queue {
            awaitsFirstPicture = false
            report(.firstPicture(session: queue.session, epoch: 0, at: visible))
        }
    }

    private func show(_ new: Slate) {
        guard new != slate else { return }
        slate = new
        presented = nil
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
            case .some(let picture): try painter.draw(picture.frame, on: canvas)
            case .none: if let slate { try painter.draw(slate, on: canvas) }
            }
        } catch {
            if counters.drawErrors == 0 { report(.drawFailed("\(error)")) }
            counters.drawErrors += 1
        }
    }
}
