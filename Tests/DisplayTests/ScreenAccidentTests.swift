// SPDX-License-Identifier: Apache-2.0
import Glibc
import Scene
import TestSupport
import Testing
import Time

@testable import Display

/// What happens to a screen, and within what time it shows the stage again. A frame takes 20 ms, a mode 40 ms to be
/// set, and a look at the connectors 35 ms.
struct ScreenAccidentTests {
    private static func withinMs(_ limit: Int64, _ span: Nanoseconds?) -> Bool {
        span.map { $0 <= .milliseconds(limit) } ?? false
    }

    @Test func noneHappens() {
        let bench = ScreenBench()
        #expect(bench.seen != nil)
        bench.run(for: .seconds(2))
        #expect(bench.seen == bench.serial)
        #expect(bench.card.modesets == 1 && bench.card.brokenRules == [])
        #expect(bench.counters.flips >= 98)
        let status = bench.driver?.status
        #expect(status?.connector == "HDMI-A-1" && status?.mode == "192x108@60")
    }

    @Test(arguments: [(1, 60), (2, 100), (3, 150), (4, 150)], [EBUSY, EINVAL])
    func refusedCommits(_ accident: (count: Int, limit: Int64), code: Int32) {
        let (count, limit) = accident
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.card.refusal = code
        bench.card.refusesCommits = count
        #expect(Self.withinMs(limit, bench.timeToPicture()))
        // A card that is busy is asked again and again, and counted once.
        #expect(bench.card.refusesCommits == 0)
        #expect(bench.counters.commitsRefused == Int64(code == EBUSY ? min(count, 3) : count))
        // One that was given up for that is on again later.
        bench.run(for: .seconds(40))
        #expect(bench.driver?.status.mode == "192x108@60")
        #expect(bench.seen == bench.serial && bench.card.brokenRules == [])
    }

    @Test func everyCommitRefused() {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.card.refusesAll = true
        bench.run(for: .seconds(30))
        bench.card.refusesAll = false
        #expect(Self.withinMs(560, bench.timeToPicture()))
        #expect(bench.driver?.status.mode == "192x108@60")
    }

    /// Changing the mode takes a mode's time, and what is refused or no better changes nothing.
    @Test func contentOfAnotherRate() {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.driver?.follow(content: FrameRate(25))
        #expect(Self.withinMs(80, bench.timeToPicture()))
        #expect(bench.driver?.status.mode == "192x108@50" && bench.card.modesets == 2)
        bench.driver?.follow(content: FrameRate(50))
        #expect(bench.driver?.status.mode == "192x108@50" && bench.card.modesets == 2)
        bench.card.refusesAll = true
        bench.driver?.follow(content: FrameRate(60))
        bench.card.refusesAll = false
        #expect(bench.driver?.status.mode == "192x108@50" && bench.card.modesets == 2)
        // It is tried again later.
        bench.run(for: .seconds(31))
        #expect(bench.driver?.status.mode == "192x108@60" && bench.card.modesets == 3)
        #expect(bench.seen == bench.serial && bench.card.brokenRules == [])
    }

    @Test func aModeRefused() {
        let bench = ScreenBench { $0.refusedSizes = [PixelSize(width: 192, height: 108)] }
        #expect(bench.driver?.status.mode == "128x72@60")
        bench.run(for: .seconds(100))
        #expect(bench.driver?.status.mode == "128x72@60" && bench.seen == bench.serial)
        // Tests do not darken the screen.
        #expect(bench.card.modesets == 1 && bench.card.tests > 3)
    }

    @Test(arguments: [1, 2, 5]) func lostFlips(count: Int) {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.card.losesFlips = count
        // A mode that is set is a picture, so that flips that are lost in series do not add up.
        #expect(Self.withinMs(261, bench.timeToPicture()))
        bench.run(for: .seconds(3))
        #expect(bench.counters.flipsLost == Int64(count) && bench.counters.longestRecoveryMs <= 250)
        #expect(bench.seen == bench.serial && bench.card.brokenRules == [])
    }

    @Test(arguments: [true, false]) func hotplugOffAndOn(isPlaying: Bool) {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.isPlaying = isPlaying
        bench.card[50] = nil
        bench.tell()
        bench.run(for: .seconds(5))
        #expect(bench.driver?.status.connector == nil)
        bench.card[50] = .television
        bench.tell()
        #expect(Self.withinMs(100, bench.timeToPicture()))
        #expect(bench.counters.hotplugs == 2)
        #expect(bench.counters.recoveryMs <= 60)
        #expect(bench.card.brokenRules == [] && bench.card.livingFramebuffers == 2)
    }

    /// The kernel tells of the end result alone, where nothing has changed.
    @Test func hotplugTooQuickToBeSeen() {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.card.replug(50)
        bench.tell()
        #expect(bench.seen == nil && Self.withinMs(120, bench.timeToPicture()))
    }

    @Test(arguments: [true, false]) func plugThatTheKernelDoesNotTellOf(isUnplugTold: Bool) {
        let bench = ScreenBench()
        bench.card[50] = nil
        if isUnplugTold { bench.tell() }
        bench.run(for: .seconds(5))
        #expect(bench.driver?.status.connector == nil)
        bench.card[50] = .television
        #expect(Self.withinMs(2_100, bench.timeToPicture()))
    }

    @Test func anotherDisplay() {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.card[50] = .other
        bench.tell()
        #expect(Self.withinMs(120, bench.timeToPicture()))
        #expect(bench.driver?.status.mode == "128x72@50")
        bench.card[50] = .television
        bench.tell()
        #expect(Self.withinMs(120, bench.timeToPicture()))
        #expect(bench.driver?.status.mode == "192x108@60" && bench.card.brokenRules == [])
    }

    @Test func theOtherConnector() {
        let bench = ScreenBench()
        bench.card[51] = .other
        bench.tell()
        bench.run(for: .seconds(1))
        #expect(bench.driver?.status.connector == "HDMI-A-1")
        bench.card[50] = nil
        bench.tell()
        #expect(Self.withinMs(120, bench.timeToPicture()))
        #expect(bench.driver?.status.connector == "HDMI-A-2" && bench.card.brokenRules == [])
    }

    @Test func aNamedConnector() {
        let bench = ScreenBench(connector: "HDMI-A-2")
        bench.run(for: .seconds(5))
        #expect(bench.driver?.status.connector == nil)
        bench.card[51] = .other
        bench.tell()
        #expect(Self.withinMs(100, bench.timeToPicture()))
        #expect(bench.driver?.status.connector == "HDMI-A-2")
    }

    @Test(arguments: [(true, 100), (false, 2_100)]) func noDisplayAtStart(isTold: Bool, limit: Int64) {
        let bench = ScreenBench(nil)
        bench.run(for: .seconds(10))
        #expect(bench.seen == nil && bench.serial > 400)
        bench.card[50] = .television
        if isTold { bench.tell() }
        #expect(Self.withinMs(limit, bench.timeToPicture()))
    }

    @Test func linkThatHasGoneBad() {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.card.breakLink(50)
        bench.tell()
        #expect(bench.seen == nil && Self.withinMs(120, bench.timeToPicture()))
    }

    @Test func cardLost() {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.card.isGone = true
        bench.run(for: .seconds(7))
        #expect(bench.counters.cardsLost == 1 && bench.driver?.status.connector == nil)
        bench.card.isGone = false
        #expect(Self.withinMs(2_100, bench.timeToPicture()))
    }

    @Test func anotherMaster() {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        (bench.card.isMaster, bench.card.canBecomeMaster) = (false, false)
        bench.run(for: .seconds(5))
        bench.card.canBecomeMaster = true
        #expect(Self.withinMs(560, bench.timeToPicture()))
    }

    @Test func consoleIsGivenBack() throws {
        var console: CanvasFramebuffer?
        let bench = ScreenBench {
            console = try? $0.startConsole(on: 50, FakeCard.Display.television.timings[2])
        }
        bench.run(for: .seconds(1))
        #expect(bench.driver?.status.mode == "192x108@60")
        bench.end()
        #expect(bench.card.mode(of: 50) == FakeCard.Display.television.timings[2].octets)
        #expect(bench.card.picture == [0, 0, 0] && !bench.card.isMaster)
        #expect(bench.card.livingFramebuffers == 1 && bench.card.livingBlobs == 0 && bench.card.brokenRules == [])
        withExtendedLifetime(console) {}
    }

    /// Accidents of all kinds one upon another; half a second after the last has gone there is a picture.
    @Test(arguments: Effort.seeds(100)) func anyOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let bench = ScreenBench(Bool.random(using: &random) ? .television : nil)
        for _ in 0..<20 {
            let connector = UInt32.random(in: 50...51, using: &random)
            bench.isPlaying = Int.random(in: 0..<4, using: &random) > 0
            switch Int.random(in: 0..<9, using: &random) {
            case 0: bench.card.refusesCommits = .random(in: 1...12, using: &random)
            case 1: bench.card.losesFlips = .random(in: 1...4, using: &random)
            case 2: bench.card[connector] = nil
            case 3: bench.card[connector] = .television
            case 4: bench.card[connector] = .other
            case 5: bench.card.breakLink(connector)
            case 6: bench.card.replug(connector)
            case 7: bench.card.refusesAll.toggle()
            default: bench.card.isMaster.toggle()
            }
            if Int.random(in: 0..<4, using: &random) > 0 { bench.tell() }
            bench.run(for: .milliseconds(.random(in: 0...900, using: &random)))
        }
        if bench.card[50] == nil, bench.card[51] == nil { bench.card[50] = .other }
        (bench.card.refusesAll, bench.card.refusesCommits, bench.card.losesFlips) = (false, 0, 0)
        bench.tell()
        #expect(Self.withinMs(700, bench.timeToPicture()), "\(bench.driver?.status as Any)")
        #expect(bench.card.brokenRules == [])
        #expect(bench.card.livingFramebuffers <= 4 && bench.card.livingBlobs <= 1)
        bench.end()
        #expect(bench.card.livingFramebuffers == 0 && bench.card.livingDumbBuffers == 0)
        #expect(bench.card.livingBlobs == 0)
    }
}
