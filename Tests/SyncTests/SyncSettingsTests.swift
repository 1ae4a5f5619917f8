// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import JSON
import Synchronisation
import Testing
import Time
import Timelines

@testable import Sync

@Suite struct SyncSettingsTests {
    private static let pts = "urn:dvb:css:timeline:pts"

    @Test func defaultsFollowNobody() throws {
        let settings = try SyncBench().settings
        #expect(settings.companion == nil && settings.selectors == [Self.pts] && settings.media.isEmpty)
        var expected = SyncConfiguration()
        expected.threshold = .milliseconds(20)
        #expect(settings.configuration == expected, "the controller's own defaults, which are the reference's")
    }

    /// CSS-08…11, CSS-17: each field reaches the controller.
    @Test func eachFieldCounts() throws {
        let configuration = try SyncBench([
            "strategy": "seek", "deadBandMs": 35, "intervalMs": 2_000, "jumpMs": 90, "calibrationMs": -40,
            "withoutTimeline": "pause",
        ]).settings.configuration
        #expect(configuration.strategy == .seek && configuration.threshold == .milliseconds(35))
        #expect(configuration.interval == .seconds(2) && configuration.jumpThreshold == .milliseconds(90))
        #expect(configuration.outputDelay == .milliseconds(-40))
        #expect(configuration.withoutTimeline == .pause(after: .seconds(2)))
        // Within the dead band nothing is corrected, and so not by a jump.
        let wide = try SyncBench(["deadBandMs": 500, "jumpMs": 60]).settings.configuration
        #expect(wide.jumpThreshold == .milliseconds(500))
    }

    /// Field, value and expectation, each time.
    @Test(arguments: [
        (#"{"television":"wss://tv/cii"}"#, "/sync/television is \"wss://tv/cii\"; expected a URL like ws://"),
        (#"{"television":"tv"}"#, "/sync/television is \"tv\"; expected a URL like ws://192.0.2.1:7681/cii"),
        (#"{"television":7}"#, "/sync/television is 7; expected a URL like ws://192.0.2.1:7681/cii"),
        (#"{"stated":{"tsUrl":"ws://tv/ts"}}"#, "/sync/stated/wcUrl: expected a URL like udp://192.0.2.1:6677"),
        (#"{"stated":{"wcUrl":"udp://tv:1"}}"#, "/sync/stated/tsUrl: expected a URL like ws://"),
        (
            #"{"stated":{"wcUrl":"udp://tv","tsUrl":"ws://tv/ts"}}"#,
            "/sync/stated/wcUrl is \"udp://tv\"; expected a URL like udp://192.0.2.1:6677"
        ),
        (
            #"{"stated":{"wcUrl":"udp://tv:1","tsUrl":"ws://tv/ts","unitsPerSecond":0}}"#,
            "/sync/stated/unitsPerSecond is 0; expected an integer, 1...1000000000"
        ),
        (
            #"{"stated":{"wcUrl":"udp://tv:1","tsUrl":"ws://tv/ts","unitsPerTick":2}}"#,
            "/sync/stated/unitsPerSecond is 90000; expected 90000 times unitsPerTick, as the selector says"
        ),
        (#"{"selectors":[""]}"#, "/sync/selectors/0 is \"\"; expected a text of 1...1024 characters"),
        (#"{"media":[{}]}"#, "/sync/media/0/contentId: expected a text of 0...2048 characters"),
        (#"{"media":[{"contentId":"a","mediaTicks":"1"}]}"#, "/sync/media/0/mediaTicks is \"1\"; expected an integer"),
        (#"{"strategy":"jump"}"#, "/sync/strategy is \"jump\"; expected one of adapt, seek"),
        (#"{"deadBandMs":0}"#, "/sync/deadBandMs is 0; expected an integer, 1...1000"),
        (#"{"intervalMs":499}"#, "/sync/intervalMs is 499; expected an integer, 500...60000"),
        (#"{"jumpMs":9}"#, "/sync/jumpMs is 9; expected an integer, 10...10000"),
        (#"{"calibrationMs":1001}"#, "/sync/calibrationMs is 1001; expected an integer, -1000...1000"),
        (#"{"withoutTimeline":"stop"}"#, "/sync/withoutTimeline is \"stop\"; expected one of play, pause"),
        (#"{"tv":"x"}"#, "/sync/tv is no field; expected one of "),
    ])
    func refusalsNameFieldValueAndExpectation(text: String, expected: String) throws {
        let refusal = try SyncBench().change(try JSONValue.parse(text))
        #expect(refusal?.contains(expected) == true, "\(refusal ?? "taken")")
    }

    // MARK: Whom to follow

    @Test func televisionIsFollowedByItsInformation() throws {
        let settings = try SyncBench([
            "television": "ws://192.0.2.1:7681/cii", "selectors": [.string(Self.pts), "urn:other"],
            "stated": ["wcUrl": "udp://192.0.2.2:1", "tsUrl": "ws://192.0.2.2/ts"],
            "media": [["contentId": "dvb://1"], ["contentId": "dvb://2", "isRequired": true]],
        ]).settings
        let url = try #require(WebSocketURL("ws://192.0.2.1:7681/cii"))
        #expect(
            settings.companion
                == CompanionSettings(
                    .described(by: url, selectors: [.pts, .other("urn:other")], stems: [ContentIDStem("dvb://2")])))
    }

    /// CSS-24.
    @Test func televisionMayBeStated() throws {
        let settings = try SyncBench([
            "stated": [
                "wcUrl": "udp://192.0.2.2:6677", "tsUrl": "ws://192.0.2.2:7681/ts", "contentIdStem": "dvb://",
                "selector": "urn:frames", "unitsPerTick": 1_001, "unitsPerSecond": 30_000,
            ]
        ]).settings
        let wallClock = try #require(WallClockURL("udp://192.0.2.2:6677"))
        let timeline = try #require(WebSocketURL("ws://192.0.2.2:7681/ts"))
        #expect(
            settings.companion
                == CompanionSettings(
                    .stated(
                        CompanionSettings.Stated(
                            wcURL: wallClock, tsURL: timeline, contentIDStem: ContentIDStem("dvb://"),
                            timeline: TimelineOption(
                                .other("urn:frames"), TimelineProperties(unitsPerTick: 1_001, unitsPerSecond: 30_000))))
                ))
    }

    /// CSS-07, CSS-32.
    @Test func contentHasItsMedium() throws {
        let settings = try SyncBench([
            "media": [
                ["contentId": "dvb://1", "timelineTicks": 1, "mediaTicks": 10],
                ["contentId": "dvb://1.2", "timelineTicks": 2, "mediaTicks": 20],
                ["contentId": "dvb://1.2.", "mediaTicks": -30],
            ]
        ]).settings
        func ticks(_ contentID: String?) -> [Int64] {
            let medium = settings.medium(of: contentID)
            return [medium.parentTicks, medium.ticks]
        }
        #expect(ticks("dvb://1.3") == [1, 10])
        #expect(ticks("dvb://1.2") == [2, 20], "the longest counts, and not the first")
        #expect(ticks("dvb://1.2.9") == [0, -30])
        #expect(ticks("dvb://2") == [0, 0] && ticks("DVB://1.2") == [0, 0] && ticks(nil) == [0, 0])
        #expect(settings.medium(of: "dvb://1.2").speed == .normal)
    }

    /// A television without CSS-CII tells no content: it is what the settings state.
    @Test func statedContentHasItsMedium() throws {
        let stated: JSONValue = [
            "wcUrl": "udp://192.0.2.2:1", "tsUrl": "ws://192.0.2.2/ts", "contentIdStem": "dvb://1.2",
        ]
        let media: JSONValue = [["contentId": "dvb://1", "mediaTicks": 10]]
        let settings = try SyncBench(["stated": stated, "media": media]).settings
        #expect(settings.medium(of: nil).ticks == 10 && settings.medium(of: "dvb://3").ticks == 0)
        let described = try SyncBench([
            "television": .string(SyncBench.television), "stated": stated, "media": media,
        ]).settings
        #expect(described.medium(of: nil).ticks == 0, "it has not told its content yet")
    }
}
