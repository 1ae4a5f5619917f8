// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing
import Time
import Timelines

@testable import Presentation

/// A text that belongs to certain pictures is on the screen with these, and with no other (CSS-05).
@Suite struct ScheduledTextTests {
    private static let size = PixelSize(width: 64, height: 36)
    private static let picture: Int64 = 3_600
    private static let span = Nanoseconds.milliseconds(40)

    /// Green, over the left half.
    private static func text(_ pictures: StampSpan?) -> OverlayPicture {
        let canvas = CanvasBuffer(width: 32, height: 36)
        canvas.bytes.withMemoryRebound(to: UInt32.self) { $0.update(repeating: 0xff00_ff00) }
        return OverlayPicture(canvas, x: 0, y: 0, pictures: pictures)
    }

    /// Of pictures that grow lighter by 1, from 60 on.
    private static func frame(_ number: Int64, at time: Monotonic, epoch: Int = 0) -> TimedFrame {
        TimedFrame(
            frame: TestFrame.grey(UInt8(60 + number), size, pts: number * picture), time: time, epoch: epoch)
    }

    /// What each present showed: a digit for the number of the picture, and whether the text was with it.
    private static func record(_ bench: SceneBench) -> () -> [Int: Set<Bool>] {
        var seen: [Int: Set<Bool>] = [:]
        let first = TestLevels.numbers(size)
        bench.recorder.onPresent = { picture in
            guard let number = first[picture[48, 18] & 0xff] else { return }
            seen[number, default: []].insert(picture[16, 18] == 0x00_ff00)
        }
        return { seen }
    }

    /// Blue of a picture by its number, as the compositor draws it.
    private enum TestLevels {
        static func numbers(_ size: PixelSize) -> [UInt32: Int] {
            var numbers: [UInt32: Int] = [:]
            for number in 0..<40 as Range<Int> {
                let bench = SceneBench(size)
                let queue = bench.queue(1)
                bench.post(.bind(queue, region: "main"))
                queue.put(ScheduledTextTests.frame(Int64(number), at: bench.now))
                bench.step()
                numbers[bench.recorder.last[48, 18] & 0xff] = number
            }
            return numbers
        }
    }

    private static func expected(_ numbers: Range<Int>, with shown: Range<Int>) -> [Int: Set<Bool>] {
        Dictionary(uniqueKeysWithValues: numbers.map { ($0, [shown.contains($0)]) })
    }

    /// From the picture with its time stamp, in the same present.
    @Test(arguments: [0, 1 << 33, -(1 << 33)] as [Int64])
    func isThereWithItsPictures(turn: Int64) {
        let bench = SceneBench(Self.size)
        let seen = Self.record(bench)
        let queue = bench.queue(1)
        bench.post(
            .bind(queue, region: "main"),
            .setOverlay(Self.text(StampSpan(from: 10 * Self.picture + turn, for: Self.span * 5)), .scheduled))
        for number in 0..<30 as Range<Int64> { queue.put(Self.frame(number, at: bench.now + Self.span * number)) }
        bench.step()
        bench.run(for: Self.span * 30)
        #expect(seen() == Self.expected(0..<30, with: 10..<15))
    }

    /// A time stamp between two pictures is that of the later.
    @Test func beginsWithTheFirstThatHasNotLess() {
        let bench = SceneBench(Self.size)
        let seen = Self.record(bench)
        let queue = bench.queue(1)
        bench.post(
            .bind(queue, region: "main"),
            .setOverlay(Self.text(StampSpan(from: 10 * Self.picture + 1, for: Self.span * 5)), .scheduled))
        for number in 0..<30 as Range<Int64> { queue.put(Self.frame(number, at: bench.now + Self.span * number)) }
        bench.step()
        bench.run(for: Self.span * 30)
        #expect(seen() == Self.expected(0..<30, with: 11..<16))
    }

    /// A rewind takes it away or brings it again; a pause holds it; what comes in time is shown at once.
    @Test func followsThePlaybackWhereverItGoes() {
        let bench = SceneBench(Self.size)
        let seen = Self.record(bench)
        let queue = bench.queue(1)
        bench.post(.bind(queue, region: "main"))
        for number in 0..<13 as Range<Int64> { queue.put(Self.frame(number, at: bench.now + Self.span * number)) }
        bench.step()
        bench.run(for: Self.span * 12)
        queue.playbackClock.set(PlaybackClock.State(delay: .zero, pausedAt: bench.now))
        bench.step(after: .seconds(1))
        #expect(seen() == Self.expected(0..<13, with: 0..<0))
        let text = Self.text(StampSpan(from: 10 * Self.picture, for: Self.span * 5))
        bench.post(.setOverlay(text, .scheduled))
        bench.step()
        #expect(bench.recorder.last[16, 18] == 0x00_ff00, "it belongs to the picture that is held")
        bench.step(after: .seconds(60))
        #expect(bench.screenshot()[16, 18] == 0x00_ff00, "however long")
        // Back to the fifth: it is gone, and comes again.
        queue.playbackClock.set(PlaybackClock.State(delay: .zero, epoch: 1))
        for number in 5..<20 as Range<Int64> {
            queue.put(Self.frame(number, at: bench.now + Self.span * (number - 5), epoch: 1))
        }
        bench.recorder.onPresent = { _ in }
        let again = Self.record(bench)
        bench.step()
        bench.run(for: Self.span * 15)
        #expect(again() == Self.expected(5..<20, with: 10..<15))
        bench.post(.showSlate(Slate(title: "Nothing", lines: []), region: "main"))
        queue.playbackClock.set(PlaybackClock.State(delay: .zero, epoch: 2))
        queue.put(Self.frame(12, at: bench.now, epoch: 2))
        bench.step(after: Self.span)
        bench.step(after: Self.span)
        #expect(bench.recorder.last[16, 18] == 0x00_ff00)
        bench.post(.showSlate(Slate(title: "Nothing more", lines: []), region: "main"))
        bench.step(after: Self.span)
        #expect(bench.recorder.last[16, 18] != 0x00_ff00, "a slate is no picture of the channel")
    }

    /// Pictures of another region have nothing to do with it, and neither have other texts with pictures.
    @Test func belongsToTheMainRegion() {
        let bench = SceneBench(Self.size)
        let (main, other) = (bench.queue(1), bench.queue(2))
        bench.post(
            .setLayout(.pictureInPicture, .cut), .bind(main, region: "main"), .bind(other, region: "inset"),
            .setOverlay(Self.text(StampSpan(from: 10 * Self.picture, for: Self.span * 5)), .scheduled))
        main.put(Self.frame(1, at: bench.now))
        other.put(Self.frame(10, at: bench.now))
        bench.step()
        #expect(bench.recorder.last[8, 18] != 0x00_ff00)
        bench.post(.setOverlay(Self.text(nil), .advertisement))
        bench.step()
        #expect(bench.recorder.last[8, 18] == 0x00_ff00)
    }
}
