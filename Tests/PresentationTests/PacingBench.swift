// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Media
import Scene
import System
import TestSupport
import Time

@testable import Presentation

/// A display with vblanks, of which nobody sees anything: what is presented is visible from the next one on. Like a screen
/// by KMS it comes back when it is.
final class VBlankOutput: StageOutput {
    let size = PixelSize(width: 64, height: 36)
    var display: SimulatedDisplay
    var now = Monotonic(nanoseconds: 0)
    /// Between asking for a flip and the vblank at the latest.
    var lead = Nanoseconds.microseconds(100)
    /// Whether it says anything of vblanks.
    var isTold = true
    var isBlocking = true
    /// At which something was presented, in turn.
    var onPresent: (Int64) -> Void = { _ in }
    private(set) var lastVBlank: Monotonic?
    private(set) var isDoubled = false
    private(set) var followed: [FrameRate?] = []
    private var last = Int64.min

    init(_ display: SimulatedDisplay) { self.display = display }

    var refresh: Nanoseconds? { isTold ? Nanoseconds(display.nominal) : nil }
    var wantsPictures: Bool { false }

    func follow(content rate: FrameRate?) { followed.append(rate) }

    func compose<Failure: Error>(_ body: (borrowing CanvasBuffer) throws(Failure) -> Void) throws(Failure) {}

    func present(now: Monotonic) -> Monotonic {
        let vblank = display.vblank(after: (now + lead).nanoseconds)
        if vblank == last { isDoubled = true }
        last = vblank
        let visible = Monotonic(nanoseconds: display.time(of: vblank))
        if isBlocking { self.now = visible }
        if isTold { lastVBlank = visible }
        onPresent(vblank)
        return visible
    }

    func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool { false }
}

/// A render loop on such a display, without its thread.
final class PacingBench {
    let output: VBlankOutput
    let counters = PublishedValue(StageCounters())
    let loop: RenderLoop<VBlankOutput>
    private let table = RegionCounterTable(count: 2 * StageLayout.regionLimit)
    private let commands = Mailbox<StageCommand>()
    private let wakeup = Wakeup()
    private let frame: PixelSize = PixelSize(width: 2, height: 2)

    init(_ display: SimulatedDisplay) {
        let output = VBlankOutput(display)
        self.output = output
        output.now = Monotonic(nanoseconds: display.start)
        loop = RenderLoop(
            output, rate: Int((display.frames + display.seconds / 2) / display.seconds), commands: commands,
            counters: counters, regions: table, clock: { output.now }, report: { _ in })
    }

    func queue(_ session: Int) -> FrameQueue {
        FrameQueue(
            session: session, playbackClock: PlaybackClock(PlaybackClock.State(delay: .zero)), capacity: 8,
            filled: wakeup,
            drained: Wakeup())
    }

    func post(_ command: StageCommand) { commands.post(command) }

    /// Plays so many pictures of a stream; each is there early enough, and its number is its time stamp.
    /// - Parameters:
    ///   - late: how much later than asked the thread comes to each picture.
    ///   - afterStep: what is done between two steps.
    func play(
        _ count: Int64, of rate: (frames: Int64, seconds: Int64), in region: String = "main",
        fieldSpan: Nanoseconds = .zero,
        late: (Int64) -> Nanoseconds = { _ in .microseconds(60) }, afterStep: () -> Void = {}
    ) {
        let queue = queue(1)
        post(.bind(queue, region: region))
        let start = output.now + .milliseconds(100)
        var (index, due) = (Int64(0), output.now)
        func time(_ index: Int64) -> Monotonic {
            let (whole, rest) = (index * rate.seconds).quotientAndRemainder(dividingBy: rate.frames)
            return start + .seconds(whole) + Nanoseconds(rest * 1_000_000_000 / rate.frames)
        }
        let end = time(count)
        while due < end {
            let first = index
            while index < count, queue.hasRoom(for: 1) {
                queue.put(
                    TimedFrame(frame: TestFrame.grey(100, frame, pts: index), time: time(index), fieldSpan: fieldSpan))
                index += 1
            }
            // Who has waited for a picture is woken by it.
            if index > first + 7 { due = output.now }
            output.now = max(output.now, due) + late(index)
            due = loop.step(at: output.now)
            afterStep()
        }
        output.now = end
        post(.unbind(session: 1))
        _ = loop.step(at: end)
    }
}
