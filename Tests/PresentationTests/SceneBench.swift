// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Scene
import Testing
import Time

@testable import Presentation

/// A render loop without its thread: time is what the test says.
final class SceneBench {
    let size: PixelSize
    let recorder = RecordingOutput.Recorder()
    let counters = PublishedValue(StageCounters())
    let table = RegionCounterTable(count: 2 * StageLayout.regionLimit)
    let loop: RenderLoop<RecordingOutput>
    var reports: [StageReport] { log.reports }
    private(set) var now = Monotonic(nanoseconds: 1_000_000_000_000)
    private(set) var due = Monotonic(nanoseconds: 0)
    private let commands = Mailbox<StageCommand>()
    private let log = Log()
    private let clock = Clock()
    private let wakeup = Wakeup()

    private final class Log { var reports: [StageReport] = [] }
    private final class Clock { var now = Monotonic(nanoseconds: 0) }

    init(
        _ size: PixelSize = PixelSize(width: 640, height: 360), rate: Int = 50,
        makeCompositor: (PixelSize, Int) -> any SceneCompositor = { Compositor(size: $0, rate: $1) }
    ) {
        self.size = size
        let (log, clock) = (log, clock)
        loop = RenderLoop(
            RecordingOutput(size: size, recorder: recorder), rate: rate, commands: commands, counters: counters,
            regions: table, makeCompositor: makeCompositor, clock: { clock.now }, report: { log.reports.append($0) })
    }

    /// Media times are due times.
    func queue(_ session: Int, capacity: Int = 64) -> FrameQueue {
        FrameQueue(
            session: session, playbackClock: PlaybackClock(PlaybackClock.State(delay: .zero)), capacity: capacity,
            filled: wakeup,
            drained: Wakeup())
    }

    /// A queue with a region to show it, and its first picture, due now.
    @discardableResult
    func play(_ session: Int, in region: String, seed: Int64, _ size: PixelSize) -> FrameQueue {
        let queue = queue(session)
        post(.bind(queue, region: region))
        queue.put(TimedFrame(frame: TestFrame.make(seed, size), time: now))
        return queue
    }

    func post(_ commands: StageCommand...) { for command in commands { self.commands.post(command) } }

    func step(after span: Nanoseconds = .zero) {
        now += span
        clock.now = now
        due = loop.step(at: now)
    }

    /// Steps as the thread would, each time a little late.
    func run(for span: Nanoseconds, late: Nanoseconds = .microseconds(50)) {
        run(for: span, late: late) {}
    }

    func run(
        for span: Nanoseconds, late: Nanoseconds = .microseconds(50), _ afterStep: () throws -> Void
    ) rethrows {
        let end = now + span
        while due < end {
            step(after: max(.zero, due - now) + late)
            try afterStep()
        }
        if now < end { step(after: end - now) }
        try afterStep()
    }

    func counters(of region: String) -> RegionCounters { table.all.first { $0.name == region } ?? .init(name: "none") }

    func screenshot() -> Picture {
        let screenshot = Screenshot(ticket: 1, size: size)
        post(.takeScreenshot(screenshot))
        step()
        return Picture(screenshot.canvas)
    }
}
