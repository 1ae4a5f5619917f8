// SPDX-License-Identifier: Apache-2.0
import Hosting
import JSON
import Playback
import Testing
import Venue

@testable import Sync

@Suite struct SyncTests {
    // MARK: Whom to follow

    @Test func followsNobodyUnlessItIsTold() throws {
        let bench = try SyncBench()
        bench.host.start()
        try bench.play("One")
        let report = try bench.answer("sync")
        #expect(report["phase"] == "stopped" && report["state"] == "initialised" && report["television"] == .null)
        #expect(report["session"] == .null && report["errorUs"] == .null && report["calibrationMs"] == 0)
        #expect(
            try bench.answer("sync-join") == "the settings name no television: expected a URL, or sync.television")
        #expect(try bench.takeEvents().isEmpty)
    }

    @Test func joinsAndLeaves() throws {
        let bench = try SyncBench()
        bench.host.start()
        let session = try bench.play("One")
        let joined = try bench.answer("sync-join", ["url": .string(SyncBench.television)])
        #expect(joined["television"] == .string(SyncBench.television) && joined["phase"] == "informationAwaited")
        #expect(joined["session"] == .integer(Int64(session)) && joined["state"] == "syncTimelineUnavailable")
        #expect(try bench.takeStates() == ["1 syncTimelineUnavailable"])
        _ = try bench.answer("sync-join", ["url": .string(SyncBench.television)])
        #expect(try bench.takeStates().isEmpty, "it is followed already")
        let left = try bench.answer("sync-leave")
        #expect(left["television"] == .null && left["phase"] == "stopped" && left["session"] == .null)
        #expect(try bench.takeStates() == ["1 stopped"])
        #expect(bench.takePerformed().last == "1 steer(nil)")
        _ = try bench.answer("sync-leave")
        #expect(try bench.takeEvents().isEmpty)
    }

    @Test(arguments: ["wss://tv.example/cii", "http://tv.example/", "ws://", "tv.example"])
    func urlsOfOtherServicesAreRefused(url: String) throws {
        let bench = try SyncBench()
        bench.host.start()
        let refusal = try bench.answer("sync-join", ["url": .string(url)]).string
        #expect(refusal == "url is '\(url)': expected one like ws://192.0.2.1:7681/cii")
    }

    /// A command holds until the settings change, and leaving the television of the settings as well.
    @Test func settingsPrevailWhenTheyChange() throws {
        let bench = try SyncBench(["television": .string(SyncBench.television)])
        try bench.play("One")
        #expect(try bench.answer("sync")["television"] == .null, "it has not been started")
        bench.host.start()
        #expect(try bench.answer("sync")["television"] == .string(SyncBench.television))
        #expect(try bench.answer("sync-leave")["television"] == .null)
        #expect(try bench.answer("sync-join")["television"] == .string(SyncBench.television))
        let other = "ws://127.0.0.1:9/other"
        #expect(try bench.answer("sync-join", ["url": .string(other)])["television"] == .string(other))
        try bench.change(["jumpMs": 70])
        #expect(try bench.answer("sync")["television"] == .string(SyncBench.television))
        try bench.change(["television": .null])
        #expect(try bench.answer("sync")["television"] == .null)
    }

    @Test func televisionWithoutInformationIsFollowed() throws {
        let bench = try SyncBench(["stated": ["wcUrl": "udp://127.0.0.1:9", "tsUrl": "ws://127.0.0.1:9/ts"]])
        bench.host.start()
        let report = try bench.answer("sync")
        #expect(report["television"] == "ws://127.0.0.1:9/ts" && report["phase"] == "wallClockAwaited")
    }

    /// What is chosen before the start is followed from the start on; after the stop nothing is.
    @Test func nothingHappensOutsideItsLife() throws {
        let bench = try SyncBench()
        try bench.play("One")
        #expect(try bench.answer("sync-join", ["url": .string(SyncBench.television)])["television"] == .null)
        bench.host.start()
        #expect(try bench.answer("sync")["television"] == .string(SyncBench.television))
        let sync = bench.host[Sync.self]
        bench.host.stop()
        #expect(try bench.takeStates() == ["1 syncTimelineUnavailable", "1 stopped"])
        try bench.change(["television": .string(SyncBench.television)])
        try bench.play("Two")
        #expect(try bench.takeEvents().isEmpty && sync.report.television == nil)
    }

    // MARK: What is held

    /// What plays in the main region is held, and nothing else; each session's end is told.
    @Test func eachSessionOfTheMainRegionIsHeld() throws {
        let bench = try SyncBench(["television": .string(SyncBench.television)])
        bench.host.start()
        #expect(try bench.answer("sync")["session"] == .null)
        try bench.play("One")
        try bench.play("Two")
        #expect(
            try bench.takeStates() == ["1 syncTimelineUnavailable", "1 stopped", "2 syncTimelineUnavailable"])
        _ = bench.regions.replace(with: [("side", nil)])
        let side: RegionPlayer = try #require(bench.regions["side"])
        try bench.play("Three", in: side)
        #expect(try bench.takeStates().isEmpty && bench.answer("sync")["session"] == 2)
        bench.regions.stop(bench.regions.main)
        #expect(try bench.takeStates() == ["2 stopped"])
        #expect(try bench.answer("sync")["session"] == .null)
    }

    /// A session that is closed is not told to play, which the next one would do in its place.
    @Test func theNextSessionIsNotPlayedForTheLastOne() throws {
        let bench = try SyncBench(["television": .string(SyncBench.television), "withoutTimeline": "pause"])
        bench.host.start()
        try bench.play("One")
        _ = bench.takePerformed()
        try bench.play("Two")
        #expect(!bench.takePerformed().contains { $0.contains("play") || $0.contains("steer") })
    }

    @Test func calibration() throws {
        let bench = try SyncBench(["television": .string(SyncBench.television), "calibrationMs": 10])
        bench.host.start()
        try bench.play("One")
        #expect(try bench.answer("sync")["calibrationMs"] == 10)
        #expect(try bench.answer("sync-calibrate", ["milliseconds": -80])["calibrationMs"] == -80)
        for value in [-1_001, 1_001] as [Int64] {
            #expect {
                _ = try bench.answer("sync-calibrate", ["milliseconds": .integer(value)])
            } throws: { "\($0)".contains("an integer, -1000...1000") }
        }
        _ = try bench.takeStates()
        // The calibration that is given up is that of the session, which begins anew.
        try bench.change(["media": [["contentId": "dvb://1"]]])
        #expect(try bench.answer("sync")["calibrationMs"] == 10)
        #expect(try bench.takeStates() == ["1 stopped", "1 syncTimelineUnavailable"])
    }

    /// Settings that concern neither the television nor the controller leave the session as it is.
    @Test func settingsThatLeaveTheSessionAlone() throws {
        let bench = try SyncBench(["television": .string(SyncBench.television)])
        bench.host.start()
        try bench.play("One")
        _ = try bench.takeEvents()
        try bench.change(["media": [["contentId": "dvb://1", "mediaTicks": 90_000]]])
        #expect(try bench.takeEvents().isEmpty)
        try bench.change(["jumpMs": 100])
        #expect(try bench.takeStates() == ["1 stopped", "1 syncTimelineUnavailable"])
        // One session for one change, of the television and of the controller together.
        try bench.change(["television": "ws://127.0.0.1:9/other", "jumpMs": 200])
        #expect(try bench.takeStates() == ["1 stopped", "1 syncTimelineUnavailable"])
    }

    /// A leading box presents channels so much later that others can be together with it at once.
    @Test func whoServesLeavesHeadroom() throws {
        let bench = try SyncBench(["serve": ["addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0]])
        bench.host.start()
        #expect(bench.regions.headroom == .zero)
        try bench.change(["serve": ["isEnabled": true]])
        #expect(bench.regions.headroom == .milliseconds(300))
        try bench.change(["serve": ["delayMs": 450]])
        #expect(bench.regions.headroom == .milliseconds(450))
        #expect(try bench.answer("sync")["served"] != .null)
        try bench.change(["serve": ["isEnabled": false]])
        #expect(bench.regions.headroom == .zero)
    }

    @Test func statisticsAreThoseOfTheSession() throws {
        let bench = try SyncBench()
        bench.host.start()
        try bench.play("One")
        #expect(bench.statistics.snapshot().group("sync") == nil)
        _ = try bench.answer("sync-join", ["url": .string(SyncBench.television)])
        let group = try #require(bench.statistics.snapshot().group("sync"))
        #expect(group["jumps"]?.json == 0 && group["ratePPB"]?.json == 0 && group["errorUs"] == nil)
        #expect(bench.statistics.snapshot().group("wallClock")?["requests"] != nil)
    }
}
