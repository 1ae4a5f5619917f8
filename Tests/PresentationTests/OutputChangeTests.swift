// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Media
import Scene
import System
import Testing
import Time

@testable import Presentation

/// What the stage shows stays when its output changes.
@Suite(.serialized) struct OutputChangeTests {
    private static let small = PixelSize(width: 64, height: 36)
    private static let large = PixelSize(width: 128, height: 72)

    // MARK: Render loops, one after the other

    /// Render loops without their thread, on the same contents.
    private final class Bench {
        let contents = StageContents()
        let counters = PublishedValue(StageCounters())
        let commands = Mailbox<StageCommand>()
        let table = RegionCounterTable(count: 2 * StageLayout.regionLimit)
        var now = Monotonic(nanoseconds: 1_000_000_000_000)

        func loop(_ size: PixelSize, _ recorder: RecordingOutput.Recorder) -> RenderLoop<RecordingOutput> {
            RenderLoop(
                RecordingOutput(size: size, recorder: recorder), rate: 50, commands: commands, counters: counters,
                regions: table, contents: contents, clock: { [unowned self] in now }, report: { _ in })
        }

        func queue() -> FrameQueue {
            FrameQueue(
                session: 1, playbackClock: PlaybackClock(PlaybackClock.State(delay: .zero)), capacity: 8,
                filled: Wakeup(), drained: Wakeup())
        }
    }

    private static func overlay() -> OverlayPicture {
        let canvas = CanvasBuffer(width: 8, height: 8)
        canvas.fill(blue: 255, green: 255, red: 255)
        return OverlayPicture(canvas, x: 4, y: 4)
    }

    /// Without a new picture and without a command: the first step of the next loop shows the same.
    @Test func theNextOutputShowsTheSame() {
        let bench = Bench()
        let (before, after) = (RecordingOutput.Recorder(), RecordingOutput.Recorder())
        let first = bench.loop(Self.small, before)
        let queue = bench.queue()
        bench.commands.post(.bind(queue, region: "main"))
        bench.commands.post(.setOverlay(Self.overlay(), .banner))
        queue.put(TimedFrame(frame: TestFrame.make(3, Self.small), time: bench.now))
        queue.put(TimedFrame(frame: TestFrame.make(4, Self.small), time: bench.now + .milliseconds(40)))
        _ = first.step(at: bench.now)
        #expect(before.count == 1)

        let second = bench.loop(Self.small, after)
        bench.now = bench.now + .milliseconds(1)
        _ = second.step(at: bench.now)
        #expect(after.count == 1 && after.last.largestDifference(from: before.last) == 0)
        #expect(bench.table.all.count == 1, "a region has one cell")
        bench.now = bench.now + .milliseconds(40)
        _ = second.step(at: bench.now)
        #expect(after.count == 2 && after.last.largestDifference(from: before.last) > 0)
        #expect(bench.counters.value.picturesPresented == 2 && bench.counters.value.presentations == 3)
    }

    /// Texts are typeset for a size; they come again.
    @Test func textsOfAnotherSizeAreDropped() {
        let bench = Bench()
        let (withText, plain) = (RecordingOutput.Recorder(), RecordingOutput.Recorder())
        let first = bench.loop(Self.small, withText)
        bench.commands.post(.setOverlay(Self.overlay(), .banner))
        _ = first.step(at: bench.now)
        #expect(bench.contents.overlays.count == 1)
        _ = bench.loop(Self.small, plain)
        #expect(bench.contents.overlays.count == 1)
        _ = bench.loop(Self.large, plain)
        #expect(bench.contents.overlays.isEmpty)
    }

    /// Errors of the output before are neither counted again nor taken back.
    @Test func countersGoOn() {
        let bench = Bench()
        bench.contents.counters.drawErrors = 3
        bench.contents.counters.picturesImported = 7
        bench.commands.post(.showSlate(Slate(title: "Box", lines: []), region: "main"))
        _ = bench.loop(Self.small, RecordingOutput.Recorder()).step(at: bench.now)
        #expect(bench.counters.value.drawErrors == 3 && bench.counters.value.picturesImported == 7)
    }

    // MARK: The stage

    private func change(_ bench: StageBench, to request: OutputRequest, ticket: Int) -> String? {
        #expect(bench.stage.change(to: request, ticket: ticket))
        let seen = bench.reports { if case .outputChanged(ticket, _) = $0 { true } else { false } }
        guard case .outputChanged(_, let problem) = seen.last else { return "no report" }
        return problem
    }

    @Test func aPictureStaysWhileTheStageGrows() throws {
        let bench = try StageBench()
        defer { bench.stage.stop() }
        let queue = bench.queue(session: 1)
        bench.stage.post(.bind(queue, region: "main"))
        queue.put(TimedFrame(frame: picture(luma: 235, pts: 0), time: SystemClock.monotonic()))
        _ = bench.reports { if case .firstPicture = $0 { true } else { false } }
        let sizes = [Self.large, Self.small, Self.large]
        for (index, size) in sizes.enumerated() {
            #expect(change(bench, to: OutputRequest(.headless, size: size), ticket: index) == nil)
            #expect(bench.stage.size == size)
            #expect(bench.middle().allSatisfy { $0 >= 253 })
        }
        queue.put(TimedFrame(frame: picture(luma: 16, pts: 1), time: SystemClock.monotonic()))
        while bench.stage.counters.value.picturesPresented < 2 { SystemClock.sleep(until: .soon) }
        #expect(bench.middle().allSatisfy { $0 <= 2 })
    }

    /// A screenshot that was asked for with the size before has the size that the stage has now.
    @Test func aScreenshotHasTheSizeOfTheStage() throws {
        let bench = try StageBench(.null)
        defer { bench.stage.stop() }
        #expect(change(bench, to: OutputRequest(.headless, size: Self.large), ticket: 1) == nil)
        bench.stage.post(.takeScreenshot(Screenshot(ticket: 7, size: Self.small)))
        let seen = bench.reports { if case .screenshotTaken = $0 { true } else { false } }
        guard case .screenshotTaken(let screenshot) = seen.last else { return }  // `reports` has failed
        #expect(screenshot.ticket == 7 && screenshot.size == Self.large)
    }

    /// A change to a card that this machine lacks.
    @Test(.enabled(if: (try? DurableFile.names(in: "/dev/dri")) == [])) func withoutACardTheOldOutputGoesOn() throws {
        let bench = try StageBench()
        defer { bench.stage.stop() }
        bench.stage.post(.showSlate(Slate(title: "Box", lines: []), region: "main"))
        _ = bench.reports { if case .slateShown = $0 { true } else { false } }
        let problem = change(bench, to: OutputRequest(.kms(), size: Self.large), ticket: 1)
        #expect(problem?.contains("card") == true, "\(problem ?? "it was opened")")
        #expect(bench.stage.size == Self.small && bench.middle() != [0, 0, 0])
    }

    @Test func theStageEndsDuringAChange() throws {
        let bench = try StageBench()
        for ticket in 1...20 {
            let size = ticket % 2 == 0 ? Self.small : Self.large
            #expect(bench.stage.change(to: OutputRequest(.headless, size: size), ticket: ticket))
        }
        bench.stage.stop()
    }
}

extension Monotonic {
    fileprivate static var soon: Monotonic { SystemClock.monotonic() + .milliseconds(1) }
}
