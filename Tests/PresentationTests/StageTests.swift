// SPDX-License-Identifier: Apache-2.0
import Buffers
import Glibc
import Media
import Scene
import System
import Testing
import Time

@testable import Presentation

/// A stage, of 64 x 36 at first, and the reports that it made.
final class StageBench: Sendable {
    let mailbox = Mailbox<StageReport>()
    let stage: Stage

    init(_ output: OutputKind = .headless) throws {
        let mailbox = mailbox
        stage = try Stage(OutputRequest(output, size: PixelSize(width: 64, height: 36))) { mailbox.post($0) }
    }

    /// The reports up to the first that is wanted; empty when it did not come within 5 s.
    func reports(upTo isWanted: (StageReport) -> Bool) -> [StageReport] {
        let deadline = SystemClock.monotonic() + .seconds(5)
        let pause = Wakeup()
        var seen: [StageReport] = []
        while SystemClock.monotonic() < deadline {
            for report in mailbox.takeAll() {
                seen.append(report)
                if isWanted(report) { return seen }
            }
            pause.wait(until: SystemClock.monotonic() + .milliseconds(5))
        }
        Issue.record("the report did not come; seen: \(seen)")
        return []
    }

    /// Media times are due times, unless the playback clock says otherwise.
    func queue(session: Int, _ head: PlaybackClock.State = PlaybackClock.State(delay: .zero)) -> FrameQueue {
        FrameQueue(
            session: session, playbackClock: PlaybackClock(head), capacity: 4, filled: stage.wakeup, drained: Wakeup())
    }

    /// Blue, green and red in the middle of what is shown.
    func middle() -> [UInt8] {
        stage.post(.takeScreenshot(Screenshot(ticket: 1, size: stage.size)))
        let seen = reports { if case .screenshotTaken = $0 { true } else { false } }
        guard case .screenshotTaken(let screenshot) = seen.last else { return [] }
        let pixel = screenshot.canvas.height / 2 * screenshot.canvas.stride + screenshot.canvas.width / 2 * 4
        return Array(screenshot.canvas.bytes[pixel..<pixel + 3])
    }
}

/// A grey picture of 64 x 36; its memory goes with it.
func picture(luma: UInt8, pts: Int64) -> VideoFrame {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64 * 36 * 3 / 2, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: luma, count: 64 * 36)
    (memory + 64 * 36).initializeMemory(as: UInt8.self, repeating: 128, count: 64 * 18)
    return VideoFrame(
        format: .yuv420p, width: 64, height: 36, pixelAspect: (1, 1), matrix: .bt601, isFullRange: false,
        planes: (
            .init(base: memory, stride: 64), .init(base: memory + 64 * 36, stride: 32),
            .init(base: memory + 64 * 36 + 32 * 18, stride: 32)
        ), pts: pts, isDamaged: false, owner: memory, giveBack: { $0.deallocate() })
}

@Suite(.serialized) struct StageTests {
    @Test(arguments: [OutputKind.headless, .null]) func showsPicturesWhenTheyAreDue(_ output: OutputKind) throws {
        let bench = try StageBench(output)
        defer { bench.stage.stop() }
        let queue = bench.queue(session: 7)
        bench.stage.post(.bind(queue, region: "main"))
        let due = SystemClock.monotonic() + .milliseconds(60)
        queue.put(TimedFrame(frame: picture(luma: 235, pts: 1), time: due))
        let reports = bench.reports { if case .firstPicture = $0 { true } else { false } }
        guard case .firstPicture(let session, _, let time) = reports.last else { return }  // `reports` has failed
        #expect(session == 7)
        #expect(time >= due)
        #expect(bench.middle().allSatisfy { $0 >= 253 })
        #expect(bench.stage.counters.value.picturesPresented == 1)
    }

    /// Of several that are due the newest is shown; the others are late, whole.
    @Test func skipsLatePictures() throws {
        let bench = try StageBench()
        defer { bench.stage.stop() }
        let queue = bench.queue(session: 1)
        let past = SystemClock.monotonic() - .milliseconds(100)
        for index in 0..<4 {
            let frame = picture(luma: index == 3 ? 16 : 235, pts: Int64(index))
            queue.put(TimedFrame(frame: frame, time: past + .milliseconds(Int64(index))))
        }
        bench.stage.post(.bind(queue, region: "main"))
        _ = bench.reports { if case .firstPicture = $0 { true } else { false } }
        #expect(bench.middle().allSatisfy { $0 <= 2 })
        let counters = bench.stage.counters.value
        #expect(counters.picturesPresented == 1 && counters.picturesLate == 3 && counters.presentedPTS == 3)
    }

    /// Between two channels the last picture stays: never black.
    @Test func holdsThePictureUntilTheNextSession() throws {
        let bench = try StageBench()
        defer { bench.stage.stop() }
        let first = bench.queue(session: 1)
        bench.stage.post(.bind(first, region: "main"))
        first.put(TimedFrame(frame: picture(luma: 235, pts: 0), time: SystemClock.monotonic()))
        _ = bench.reports { if case .firstPicture = $0 { true } else { false } }
        bench.stage.post(.unbind(session: 1))
        let second = bench.queue(session: 2)
        bench.stage.post(.bind(second, region: "main"))
        #expect(bench.middle().allSatisfy { $0 >= 253 })
        second.put(TimedFrame(frame: picture(luma: 16, pts: 0), time: SystemClock.monotonic()))
        let reports = bench.reports { if case .firstPicture = $0 { true } else { false } }
        if case .firstPicture(let session, _, _) = reports.last { #expect(session == 2) }
        #expect(bench.middle().allSatisfy { $0 <= 2 })
    }

    @Test func aSlateIsDrawnOnce() throws {
        let bench = try StageBench()
        defer { bench.stage.stop() }
        let slate = Slate(title: "Box", lines: ["one"])
        for _ in 0..<3 { bench.stage.post(.showSlate(slate, region: "main")) }
        _ = bench.reports { if case .slateShown = $0 { true } else { false } }
        #expect(bench.middle() != [0, 0, 0])
        #expect(bench.stage.counters.value.slatesShown == 1)
        #expect(bench.stage.counters.value.drawErrors == 0)
    }

    /// SVM-03: after the off-air card nothing else is shown.
    @Test func theCardIsTheLastPicture() throws {
        let bench = try StageBench()
        defer { bench.stage.stop() }
        let queue = bench.queue(session: 1)
        queue.put(TimedFrame(frame: picture(luma: 235, pts: 0), time: SystemClock.monotonic()))
        bench.stage.post(.bind(queue, region: "main"))
        _ = bench.reports { if case .firstPicture = $0 { true } else { false } }
        #expect(bench.stage.goOffAir(Slate(title: "Box", lines: ["Off air"]), within: .seconds(5)))
        let card = bench.middle()
        #expect(card.count == 3 && !card.allSatisfy { $0 >= 253 })
        queue.put(TimedFrame(frame: picture(luma: 235, pts: 1), time: SystemClock.monotonic()))
        bench.stage.post(.bind(queue, region: "main"))
        bench.stage.post(.showSlate(Slate(title: "No channels", lines: []), region: "main"))
        #expect(bench.middle() == card && bench.stage.counters.value.slatesShown == 1)
        #expect(!bench.stage.goOffAir(Slate(title: "Again", lines: []), within: .milliseconds(50)))
    }

    /// What feeds the watchdog.
    @Test func saysThatItLives() throws {
        let bench = try StageBench(.null)
        defer { bench.stage.stop() }
        for _ in 0..<2 { _ = bench.reports { if case .alive = $0 { true } else { false } } }
    }

    /// A seek: what was queued before it is never shown.
    @Test func throwsAwayPicturesOfAnotherEpoch() throws {
        let bench = try StageBench()
        defer { bench.stage.stop() }
        let queue = bench.queue(session: 1, PlaybackClock.State(delay: .zero, epoch: 1))
        let now = SystemClock.monotonic()
        queue.put(TimedFrame(frame: picture(luma: 16, pts: 1), time: now, epoch: 0))
        queue.put(TimedFrame(frame: picture(luma: 16, pts: 2), time: now, epoch: 0))
        queue.put(TimedFrame(frame: picture(luma: 235, pts: 3), time: now, epoch: 1))
        bench.stage.post(.bind(queue, region: "main"))
        let reports = bench.reports { if case .firstPicture = $0 { true } else { false } }
        guard case .firstPicture(_, let epoch, _) = reports.last else { return }  // `reports` has failed
        #expect(epoch == 1)
        #expect(bench.middle().allSatisfy { $0 >= 253 })
        let counters = bench.stage.counters.value
        #expect(counters.picturesDiscarded == 2 && counters.picturesPresented == 1)
    }

    /// While paused nothing is due; the picture of a seek is shown all the same.
    @Test func holdsWhilePaused() throws {
        let bench = try StageBench()
        defer { bench.stage.stop() }
        let past = SystemClock.monotonic() - .seconds(1)
        let queue = bench.queue(session: 1, PlaybackClock.State(delay: .zero, pausedAt: past - .milliseconds(1)))
        bench.stage.post(.bind(queue, region: "main"))
        queue.put(TimedFrame(frame: picture(luma: 235, pts: 1), time: past, isImmediate: true))
        queue.put(TimedFrame(frame: picture(luma: 16, pts: 2), time: past))
        _ = bench.reports { if case .firstPicture = $0 { true } else { false } }
        #expect(bench.middle().allSatisfy { $0 >= 253 })
        queue.playbackClock.set(PlaybackClock.State(delay: .zero))
        queue.wakeReader()
        while bench.stage.counters.value.picturesPresented < 2 { usleep(1_000) }
        #expect(bench.middle().allSatisfy { $0 <= 2 })
    }

    /// The picture that was due when it was paused is shown, also if the screen has not come to it yet; no later one is.
    @Test func pausesWithThePictureOfThePosition() throws {
        let bench = try StageBench()
        defer { bench.stage.stop() }
        let now = SystemClock.monotonic()
        let queue = bench.queue(session: 1, PlaybackClock.State(delay: .zero, pausedAt: now))
        bench.stage.post(.bind(queue, region: "main"))
        queue.put(TimedFrame(frame: picture(luma: 235, pts: 1), time: now - .milliseconds(50)))
        queue.put(TimedFrame(frame: picture(luma: 128, pts: 2), time: now - .milliseconds(10)))
        queue.put(TimedFrame(frame: picture(luma: 16, pts: 3), time: now + .milliseconds(30)))
        _ = bench.reports { if case .firstPicture = $0 { true } else { false } }
        usleep(100_000)
        #expect(bench.stage.regionCounters.first?.presentedPTS == 2)
    }

    /// The second field of an interlaced picture follows in its own time.
    @Test func showsBothFields() throws {
        let bench = try StageBench()
        defer { bench.stage.stop() }
        let queue = bench.queue(session: 1)
        bench.stage.post(.bind(queue, region: "main"))
        queue.put(
            TimedFrame(
                frame: picture(luma: 235, pts: 1), time: SystemClock.monotonic(), fieldSpan: .milliseconds(20)))
        while bench.stage.counters.value.fieldsPresented < 1 { usleep(1_000) }
        #expect(bench.stage.counters.value.picturesPresented == 1)
        #expect(bench.middle().allSatisfy { $0 >= 253 })
    }

    /// SVM-78, 79: starved and fed alternate.
    @Test func saysWhenPicturesStayAway() throws {
        let bench = try StageBench()
        defer { bench.stage.stop() }
        let queue = bench.queue(session: 3)
        bench.stage.post(.bind(queue, region: "main"))
        for round in 0..<2 as Range<Int64> {
            queue.put(TimedFrame(frame: picture(luma: 235, pts: round), time: SystemClock.monotonic()))
            let reports = bench.reports { if case .starved(3) = $0 { true } else { false } }
            let fed = reports.filter { if case .fed(3) = $0 { true } else { false } }
            #expect(fed.count == (round == 0 ? 0 : 1))
        }
        #expect(bench.stage.counters.value.starvations == 2)
    }
}
