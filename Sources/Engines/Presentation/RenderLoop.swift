// SPDX-License-Identifier: Apache-2.0
import Buffers
import Conversion
import Display
import Media
import Scene
import System
import Time
import Typesetting

/// The render thread's own state: which picture is due, which is on the screen. Made and used on that thread only.
final class RenderLoop {
    private static let tick = Nanoseconds.milliseconds(500)
    private static let delayed = Nanoseconds.milliseconds(20)

    private let kind: OutputKind
    private let commands: Mailbox<StageCommand>
    private let wakeup: Wakeup
    private let published: LatestValue<StageCounters>
    private let report: @Sendable (StageReport) -> Void
    private let painter: Painter
    private var counters = StageCounters()
    private var queue: FrameQueue?
    private var pending: TimedFrame?
    private var pendingDue: Monotonic?
    /// The picture on the screen; nil while a slate is.
    private var presented: VideoFrame?
    private var slate: Slate?
    private var awaitsFirstPicture = false
    private var hasReportedError = false
    private var lastAlive = Monotonic(nanoseconds: 0)

    init(
        _ kind: OutputKind, size: PixelSize, commands: Mailbox<StageCommand>, wakeup: Wakeup,
        counters: LatestValue<StageCounters>, report: @escaping @Sendable (StageReport) -> Void
    ) {
        self.kind = kind
        self.commands = commands
        self.wakeup = wakeup
        published = counters
        self.report = report
        painter = Painter(size: size)
    }

    func run(until stopping: StopFlag) {
        while !stopping.isRaised {
            for command in commands.takeAll() { perform(command) }
            let now = SystemClock.monotonic()
            presentDue(at: now)
            if now - lastAlive >= .seconds(1) {
                lastAlive = now
                report(.alive)
            }
            wakeup.wait(until: min(pendingDue ?? now + Self.tick, now + Self.tick))
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
            if kind == .null { paint() }
            painter.canvas.copyTo(screenshot.canvas)
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
            guard let picture = pending.take() else { return dropPending() }
            pendingDue = nil
            fillPending()
            if let next = pendingDue, next <= now {
                counters.picturesLate += 1
                continue
            }
            present(picture.takeFrame(), due: due, at: now)
        }
    }

    private func fillPending() {
        guard pendingDue == nil, let next = queue?.take() else { return }
        pendingDue = next.due
        pending = next
    }

    private func present(_ frame: consuming VideoFrame, due: Monotonic, at now: Monotonic) {
        counters.presentedPTS = frame.pts
        presented = frame
        slate = nil
        if kind == .headless { paint() }
        counters.picturesPresented += 1
        if now - due > Self.delayed { counters.picturesDelayed += 1 }
        published.set(counters)
        if awaitsFirstPicture, let queue {
            awaitsFirstPicture = false
            report(.firstPicture(session: queue.session, at: SystemClock.monotonic()))
        }
    }

    private func show(_ new: Slate) {
        guard new != slate else { return }
        slate = new
        presented = nil
        if kind == .headless { paint() }
        counters.slatesShown += 1
        published.set(counters)
        report(.slateShown)
    }

    /// Draws what is on the stage into the canvas.
    private func paint() {
        do {
            switch presented {
            case .some(let frame): try painter.draw(frame)
            case .none: if let slate { try painter.draw(slate) }
            }
        } catch {
            counters.drawErrors += 1
            if !hasReportedError { report(.drawFailed("\(error)")) }
            hasReportedError = true
        }
    }
}
