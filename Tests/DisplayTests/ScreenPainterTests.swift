// SPDX-License-Identifier: Apache-2.0
import Glibc
import Scene
import Testing
import Time

@testable import Display

/// A stage that a GPU draws where it is shown, and what happens to that.
struct ScreenPainterTests {
    private static func isSoon(_ span: Nanoseconds?) -> Bool { span.map { $0 <= .milliseconds(150) } ?? false }

    private static func expectWhole(_ bench: ScreenBench, _ place: SourceLocation = #_sourceLocation) {
        bench.run(for: .seconds(1))
        #expect(bench.seen == bench.serial && bench.card.brokenRules == [], sourceLocation: place)
        #expect(bench.driver?.status.mode == "192x108@60", sourceLocation: place)
    }

    @Test func nothingIsCopied() throws {
        let bench = ScreenBench(painting: { _, _ in })
        bench.run(for: .seconds(2))
        Self.expectWhole(bench)
        let painter = try #require(bench.painter)
        // Those before the screen was on were composed in memory.
        #expect(painter.pictures > bench.serial - 5 && painter.reads == 0 && painter.given == nil)
    }

    /// A screenshot is read back once, and is what people see.
    @Test func whatIsShownCanBeRead() throws {
        let bench = ScreenBench(painting: { _, _ in })
        bench.run(for: .seconds(1))
        bench.isPlaying = false
        bench.run(for: .milliseconds(50))
        for _ in 0..<2 {
            var blue: UInt8?
            _ = bench.driver?.readFront { blue = $0.bytes[0] }
            #expect(blue == UInt8(truncatingIfNeeded: bench.serial))
        }
        #expect(bench.painter?.reads == 1)
    }

    @Test func aCardThatDoesNotTakeItsMemoryIsWritten() {
        let bench = ScreenBench(painting: { painter, _ in painter.memoryIsRefused = true })
        Self.expectWhole(bench)
        #expect(bench.painter?.given == .kms("commit", code: EINVAL) && bench.painter?.pictures == 0)
    }

    @Test func aGPUWithoutMemoryIsDoneWithout() {
        let bench = ScreenBench(painting: { painter, _ in painter.makesNothing = true })
        Self.expectWhole(bench)
        #expect(bench.painter?.given == .kms("make memory", code: ENOMEM))
    }

    /// A mode that no memory is taken for is no fault of the painter's.
    @Test func aRefusedModeIsNotItsFault() {
        let bench = ScreenBench(painting: { _, card in
            card.refusedSizes = [PixelSize(width: 128, height: 72)]
        })
        Self.expectWhole(bench)
        #expect(bench.painter?.given == nil)
    }

    @Test func aLostGPUIsFollowedByTheProcessor() throws {
        let bench = ScreenBench(painting: { _, _ in })
        bench.run(for: .seconds(1))
        bench.painter?.isLost = true
        #expect(Self.isSoon(bench.timeToPicture()))
        Self.expectWhole(bench)
        #expect(bench.painter?.given == .gl(code: 0x507))
    }

    /// The picture is drawn on the first of two buffers, and is to be had on what is set anew.
    @Test func aLostFlipAndARefusedOneShowThePicture() {
        let bench = ScreenBench(painting: { _, _ in })
        bench.run(for: .seconds(1))
        bench.isPlaying = false
        bench.card.losesFlips = 1
        bench.isPlaying = true
        bench.run(for: .milliseconds(20))
        bench.isPlaying = false
        bench.run(for: .seconds(1))
        #expect(bench.seen == bench.serial)
        bench.isPlaying = true
        bench.card.refusesCommits = 2
        #expect(Self.isSoon(bench.timeToPicture()))
        bench.card.replug(50)
        bench.tell()
        #expect(Self.isSoon(bench.timeToPicture()))
        Self.expectWhole(bench)
        #expect(bench.painter?.given == nil)
    }

    /// It is asked without one from then on.
    @Test func aRefusedFenceIsForgone() throws {
        let bench = ScreenBench(painting: { painter, card in
            painter.hasFences = true
            card.takesFences = false
        })
        #expect(Self.isSoon(bench.timeToPicture()))
        Self.expectWhole(bench)
        #expect(bench.painter?.hasFences == false && bench.painter?.given == nil)
        let other = ScreenBench(painting: { painter, _ in painter.hasFences = true })
        Self.expectWhole(other)
        #expect(other.card.fences > 40 && other.painter?.hasFences == true)
    }

    @Test func anotherScreenOfTheSameCard() {
        let bench = ScreenBench(painting: { _, _ in })
        bench.run(for: .seconds(1))
        bench.card[50] = nil
        bench.tell()
        bench.run(for: .seconds(1))
        #expect(bench.seen == nil)
        bench.card[51] = .television
        bench.tell()
        #expect(Self.isSoon(bench.timeToPicture()))
        Self.expectWhole(bench)
        #expect(bench.painter?.given == nil)
    }

    @Test func everythingIsGivenBack() throws {
        let bench = ScreenBench(painting: { _, _ in })
        bench.run(for: .seconds(1))
        bench.end()
        #expect(bench.card.livingFramebuffers == 0 && bench.card.livingDumbBuffers == 0)
        #expect(bench.card.livingBlobs == 0)
    }

    @Test func whoDraws() {
        let missing = DisplayError.missing("libgbm.so.1")
        let broken = DisplayError.egl("eglInitialize", code: 0x3001)
        func outcome(_ drawing: ScreenDrawing, _ error: DisplayError) -> DisplayError? {
            let result = drawing.result { () throws(DisplayError) in throw error }
            if case .failure(let error)? = result { return error }
            return nil
        }
        #expect(outcome(.automatic, missing) == nil && outcome(.automatic, broken) == broken)
        #expect(outcome(.gles, missing) == missing && outcome(.processor, broken) == nil)
    }
}
