// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing
import Time

@testable import Display

/// A video on a plane of its own, and what befalls it: it is composed then, in the same present.
struct VideoPlaneTests {
    private static let stage = PixelSize(width: 192, height: 108)

    private static func bench(
        planes: [KMSPlane] = FakeCard.videoPlanes, prepare: (FakeCard) -> Void = { _ in }
    ) -> ScreenBench {
        let bench = ScreenBench {
            $0.planes = planes
            prepare($0)
        }
        bench.video = (stage, .bt709)
        return bench
    }

    private static func isWell(_ bench: ScreenBench) -> Bool {
        bench.blacks == 0 && bench.seen == bench.serial && bench.card.brokenRules == []
    }

    @Test func itsCanvasIsComposedOnce() {
        let bench = Self.bench()
        bench.run(for: .milliseconds(100))
        let composed = bench.canvases
        bench.run(for: .seconds(2))
        #expect(Self.isWell(bench) && bench.card.isVideoShown())
        #expect(bench.canvases == composed)
        #expect(bench.counters.planePictures >= 98 && bench.counters.planeRefusals == 0)
        #expect(bench.counters.planeCopies == bench.counters.planePictures)
        // Three planes: the primary one cannot be either. The card was asked about YU12 as well, but no plane has it.
        #expect(bench.card.tests <= 3)
        #expect(bench.card.values[32]?[.encoding] == 1 && bench.card.values[32]?[.range] == 0)
        #expect(bench.card.values[33]?[.zpos] == 2 && bench.card.values[33]?[.alpha] == 0xffff)
        // Two canvases in two formats each, and two pictures.
        #expect(bench.card.livingFramebuffers == 6)
    }

    @Test func withoutOne() {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.video = nil
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && !bench.card.isVideoShown())
        #expect(bench.card.values[33]?[.crtc] == 0 && bench.card.values[33]?[.framebuffer] == 0)
    }

    @Test func forbidden() {
        let bench = Self.bench()
        bench.driver?.video.isEnabled = false
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && !bench.card.isVideoShown())
        #expect(bench.counters.planeRefusals == 0 && bench.driver?.status.planeRefusal == nil)
    }

    @Test func aCardWithoutSuchPlanes() {
        let bench = Self.bench(planes: FakeCard.plainPlanes)
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.counters.planePictures == 0)
    }

    @Test func refusedTests() {
        let bench = Self.bench { $0.accidents.refusesTests = true }
        bench.run(for: .seconds(50))
        #expect(Self.isWell(bench) && !bench.card.isVideoShown())
        #expect(bench.counters.planeRefusals == 1 && bench.counters.commitsRefused == 0)
        #expect(bench.driver?.status.planeRefusal == "commit failed: Numerical result out of range")
        #expect(bench.card.tests <= 4)  // and not with each picture
        bench.card.accidents.refusesTests = false
        bench.run(for: .seconds(11))
        #expect(Self.isWell(bench) && bench.card.isVideoShown())
    }

    /// The next session is not told what was the matter with the one before.
    @Test func aRefusalIsOfItsPicture() {
        let bench = Self.bench { $0.accidents.refusesTests = true }
        bench.run(for: .seconds(1))
        #expect(bench.driver?.status.planeRefusal != nil)
        bench.driver?.video.isEnabled = false
        bench.run(for: .seconds(1))
        #expect(bench.driver?.status.planeRefusal == nil)
        bench.driver?.video.isEnabled = true
        bench.run(for: .seconds(1))
        #expect(bench.driver?.status.planeRefusal != nil && bench.counters.planeRefusals == 1)
        bench.video = nil
        bench.run(for: .seconds(1))
        #expect(bench.driver?.status.planeRefusal == nil)
        bench.card.accidents.refusesTests = false
        bench.video = (Self.stage, .bt601)
        bench.run(for: .seconds(1))
        #expect(bench.card.isVideoShown() && bench.driver?.status.planeRefusal == nil)
    }

    /// Nothing new is offered that would ask again.
    @Test func aPictureThatStands() {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.card.accidents.refusedCommits = 1
        while bench.counters.planeRefusals == 0 { bench.run(for: .milliseconds(1)) }
        #expect(bench.driver?.status.planeRefusal != nil)
    }

    @Test(arguments: [1, 3]) func refusedCommits(count: Int) {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        let modesets = bench.card.modesets
        bench.card.accidents.refusedCommits = count
        // The picture that was refused is seen all the same.
        #expect(bench.timeToPicture().map { $0 <= .milliseconds(40) } ?? false)
        #expect(Self.isWell(bench) && !bench.card.isVideoShown())
        #expect(bench.counters.planeRefusals == 1 && bench.card.modesets == modesets)
        bench.card.accidents.refusedCommits = 0
        bench.run(for: .seconds(61))
        #expect(Self.isWell(bench) && bench.card.isVideoShown())
    }

    /// It has not done with the flip before, whatever that shows: no fault of the video's.
    @Test func aBusyCard() {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.card.refusesCommits = 1
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.card.isVideoShown())
        #expect(bench.counters.commitsRefused == 1 && bench.counters.planeRefusals == 0)
    }

    @Test func anotherColour() {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        let tests = bench.card.tests
        bench.video = (Self.stage, .bt601)
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.card.isVideoShown())
        #expect(bench.card.values[32]?[.encoding] == 0 && bench.card.tests == tests + 1)
        // The plane does not know it.
        bench.video = (Self.stage, .bt2020)
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && !bench.card.isVideoShown())
        bench.card.accidents.refusedColours = [1]
        bench.video = (Self.stage, .bt709)
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && !bench.card.isVideoShown())
        bench.video = (Self.stage, .bt601)
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.card.isVideoShown())
    }

    @Test func anotherSize() {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.video = (PixelSize(width: 96, height: 54), .bt709)
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && !bench.card.isVideoShown())
        bench.card.accidents.scales = true
        bench.video = (PixelSize(width: 64, height: 36), .bt709)
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.card.isVideoShown())
        #expect(bench.card.values[32]?[.sourceWidth] == 64 << 16 && bench.card.values[32]?[.crtcWidth] == 192)
        #expect(bench.card.livingFramebuffers == 6)
    }

    @Test(arguments: [1, 3]) func lostFlips(count: Int) {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.card.losesFlips = count
        bench.run(for: .seconds(2))
        #expect(Self.isWell(bench) && bench.card.isVideoShown())
        #expect(bench.counters.flipsLost == Int64(count) && bench.counters.planeRefusals == 0)
    }

    /// The mode is set with the video, or without it where the card refuses that.
    @Test(arguments: [0, 1]) func aModeSetAgain(refused: Int) {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.isPlaying = false
        bench.card.accidents.refusedCommits = refused
        bench.card.replug(50)
        bench.tell()
        bench.run(for: .seconds(1))
        #expect(bench.seen == bench.serial && bench.card.isVideoShown() == (refused == 0))
        bench.isPlaying = true
        bench.run(for: .seconds(61))
        #expect(bench.seen == bench.serial && bench.card.isVideoShown() && bench.card.brokenRules == [])
    }

    @Test func anotherMode() {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.driver?.follow(content: FrameRate(25))
        bench.run(for: .seconds(1))
        #expect(Self.isWell(bench) && bench.card.isVideoShown() && bench.driver?.status.mode == "192x108@50")
        // The picture is larger than what is left, and the stage is cut.
        bench.card[50] = .other
        bench.tell()
        bench.run(for: .seconds(1))
        #expect(bench.seen != nil && !bench.card.isVideoShown() && bench.card.brokenRules == [])
    }

    @Test func planesThatVanish() {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.card.planes = FakeCard.plainPlanes
        for plane: UInt32 in [32, 33] { bench.card.values[plane] = [:] }
        bench.tell()
        bench.run(for: .seconds(2))
        #expect(bench.seen == bench.serial && !bench.card.isVideoShown())
    }

    @Test func aDisplayThatIsAwayForAWhile() {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.card[50] = nil
        bench.tell()
        bench.run(for: .seconds(1))
        #expect(bench.seen == nil && bench.card.values[32]?[.crtc] == 0)
        bench.card[50] = .television
        bench.tell()
        bench.run(for: .seconds(1))
        #expect(bench.seen == bench.serial && bench.card.isVideoShown() && bench.card.brokenRules == [])
    }

    @Test func whatWasThereBeforeIsThereAgain() {
        var console: CanvasFramebuffer?
        let bench = Self.bench {
            console = try? $0.startConsole(on: 50, FakeCard.Display.television.timings[0])
        }
        bench.run(for: .seconds(1))
        #expect(bench.card.isVideoShown())
        bench.end()
        #expect(!bench.card.isVideoShown() && bench.card.brokenRules == [])
        #expect(console != nil && bench.card.values[30]?[.framebuffer] == console.map { UInt64($0.framebuffer) })
        #expect(bench.card.livingFramebuffers == 2)
    }
}
