// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import System
import Testing
import Time
import Timelines

@testable import Playback

@Suite struct CodedPicturesTests {
    private let filled = Wakeup()
    private let drained = Wakeup()

    private func entry(_ pictures: CodedPictures, point: Int = 0) -> CodedPictures.Entry {
        CodedPictures.Entry(
            unit: AccessUnit(pts: 0, dts: 0, isRandomAccess: true, isDamaged: false),
            correlation: StreamCorrelation(offset: .zero), codec: .h264, stream: 1, startsAnew: false,
            generation: pictures.generation, beginning: .catchingUp, epoch: 3, point: point)
    }

    private func put(_ octets: Int, into pictures: CodedPictures, point: Int = 0) -> Bool {
        [UInt8](repeating: 7, count: octets).withUnsafeBytes { pictures.put(entry(pictures, point: point), $0) }
    }

    private func isSignalled(_ wakeup: Wakeup) -> Bool { wakeup.wait(until: Monotonic(nanoseconds: 0)) }

    @Test func unitsComeInOrderWithWhatWasSaidOfThem() {
        let pictures = CodedPictures(filled: filled, drained: drained)
        #expect(put(10, into: pictures, point: 1) && put(20, into: pictures, point: 2))
        #expect(isSignalled(filled) && pictures.newestPoint == 2)
        var seen: [Int] = []
        while pictures.take({ entry, bytes in seen += [entry.point, entry.epoch, bytes.count] }) {}
        #expect(seen == [1, 3, 10, 2, 3, 20] && pictures.isEmpty)
    }

    @Test func whatWaitsIsCorrected() {
        let pictures = CodedPictures(filled: filled, drained: drained)
        #expect(put(10, into: pictures))
        pictures.corrections.correct(by: .milliseconds(1_400))
        #expect(put(10, into: pictures))
        pictures.corrections.correct(by: .milliseconds(-400))
        var offsets: [Nanoseconds] = []
        while pictures.take({ entry, _ in offsets.append(entry.correlation.offset) }) {}
        #expect(offsets == [.milliseconds(1_000), .milliseconds(-400)])
    }

    /// Nor is what is of another timeline than the one of which the clock is better known.
    @Test func anotherTimelineIsNotCorrected() {
        let pictures = CodedPictures(filled: filled, drained: drained)
        #expect(put(10, into: pictures))
        pictures.corrections.begin()
        #expect(put(10, into: pictures))
        pictures.corrections.correct(by: .milliseconds(300))
        var offsets: [Nanoseconds] = []
        while pictures.take({ entry, _ in offsets.append(entry.correlation.offset) }) {}
        #expect(offsets == [.zero, .milliseconds(300)])
    }

    /// The writer is woken before the unit is decoded, which takes its time.
    @Test func roomIsToldOfBeforeTheUnitIsUsed() {
        let pictures = CodedPictures(filled: filled, drained: drained)
        while pictures.hasRoom { #expect(put(1 << 20, into: pictures)) }
        #expect(!isSignalled(drained))
        var wasTold = false
        #expect(pictures.take { _, _ in wasTold = isSignalled(drained) })
        #expect(wasTold)
        #expect(!put(CodedPictures.largestUnit + 1, into: pictures))
    }

    /// However the two threads meet, the writer never sleeps while there is room.
    @Test func noSignalOfRoomIsLost() throws {
        let (filled, drained) = (filled, drained)
        let pictures = CodedPictures(filled: filled, drained: drained)
        let count = 2_000
        let reader = try DedicatedThread("reader") {
            var taken = 0
            while taken < count {
                if pictures.take({ _, _ in }) {
                    taken += 1
                } else {
                    filled.wait(until: SystemClock.monotonic() + .seconds(5))
                }
            }
        }
        var slept = 0
        for _ in 0..<count {
            while !pictures.hasRoom { if !drained.wait(until: SystemClock.monotonic() + .seconds(5)) { slept += 1 } }
            #expect(put(CodedPictures.largestUnit, into: pictures))
        }
        reader.join()
        #expect(slept == 0)
    }

    @Test func aGenerationIsCaughtUpAndFinishedForItselfOnly() {
        let pictures = CodedPictures(filled: filled, drained: drained)
        let first = pictures.generation
        pictures.endGeneration()
        #expect(pictures.hasEnded(first) && !pictures.isFinished && isSignalled(filled))
        pictures.catchUp(first)
        pictures.finish(first, picturesEnd: Monotonic(nanoseconds: 5))
        #expect(pictures.isCaughtUp && pictures.isFinished && isSignalled(drained))
        #expect(pictures.picturesEnd == Monotonic(nanoseconds: 5))
        pictures.beginGeneration()
        #expect(!pictures.isCaughtUp && !pictures.isFinished && !pictures.hasEnded(pictures.generation))
        pictures.finish(pictures.generation, picturesEnd: nil)
        #expect(pictures.isFinished && pictures.picturesEnd == nil)
    }
}
