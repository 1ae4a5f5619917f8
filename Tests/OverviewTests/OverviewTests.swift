// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import LineUp
import Playback
import Reporting
import Settings
import Testing
import Venue

@testable import Overview

@Suite struct OverviewTests {
    private static let settings: JSONValue = [
        "box": ["name": "Ceiling 7"], "network": ["interface": "lo"],
        "channels": [["name": "Pitch", "address": "239.1.2.3", "port": 5_000]],
    ]

    /// What is shown with nothing open, and with a channel: both as the schema says.
    @Test func statusOfNothingAndOfAChannel() throws {
        var context = try FeatureContext.testing(settings: Self.settings)
        let settings = context.settings.running.settings
        let lineUp = LineUpView(LineUp(settings: LineUpSettings(settings)))
        let regions = RegionDirectory(PlaybackPolicy(settings), sessionLimit: 1)
        let health = HealthView()
        context.provide(lineUp)
        context.provide(regions)
        context.provide(health)
        context.provide(LocalZone("Asia/Kathmandu"))
        context.provide(DisplayedClock(isSynchronised: { true }))
        context.provide(
            Overview.Sources(
                boxID: "0-1-2", volume: { (40, true) }, layout: { "full" }, isStageActive: { true },
                http: { Overview.HTTP() }))
        let host = try FeatureHost([Overview.self], context)
        func status() throws -> JSONValue {
            var answered = JSONValue.null
            let request = try CommandRequest(CommandDescription(ShowStatus.self))
            #expect(host.handle(request) { if case .success(let answer) = $0 { answered = answer } })
            #expect(StatusReport.kind.problems(of: answered).isEmpty)
            return answered
        }
        let before = try status()
        #expect(before["boxId"] == "0-1-2" && before["boxName"] == "Ceiling 7" && before["address"] == "127.0.0.1")
        #expect(before["serviceState"] == "down" && before["serviceReason"] == "NotRunning")
        #expect(before["channel"] == .null && before["playerState"] == .null && before["session"] == .null)
        #expect(before["volume"] == 40 && before["isMuted"] == true && before["httpPort"] == .null)
        #expect(before["channelCount"] == 1 && before["streamerCount"] == 0 && before["layout"] == "full")
        #expect(before["displayedTimeSource"] == "clock" && before["program"] == .null)
        #expect(before["localTime"]?.string?.hasSuffix("+05:45") == true)

        var snapshot = HealthView.Snapshot()
        snapshot.state = ServiceState(reasons: [])
        health.publish(snapshot)
        regions.environment.open = { _, _ in nil }
        let channel = try #require(lineUp.current.entry(matching: "Pitch")?.channel)
        regions.control(.tune(channel), in: regions.main)
        let after = try status()
        #expect(after["serviceState"] == "up" && after["serviceReason"] == .null)
        #expect(after["channel"] == "Pitch" && after["playerState"] == "open" && after["session"] == 1)
        #expect(after["isOpen"] == true && after["isPaused"] == false)
    }
}
