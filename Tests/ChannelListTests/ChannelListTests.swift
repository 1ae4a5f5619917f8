// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import LineUp
import Playback
import Presentation
import Settings
import System
import TestSupport
import Testing
import Time
import Venue

@testable import ChannelList

/// SVM-11; G-25.
@Suite final class ChannelListTests {
    private final class Screen {
        var list: ChannelListPanel?
        var number: NumberPanel?
        var writes = 0
        var hangs = false
    }

    private final class Tuner: ChannelTuner {
        var tuned: [String] = []
        func checkTunable(_ text: String) throws(Status) {}
        func tune(_ text: String, in region: RegionPlayer) throws(Status) { tuned.append(text) }
        func tuneAwaited() {}
    }

    private let screen = Screen()
    private let tuner = Tuner()
    private let regions = RegionDirectory(PlaybackPolicy(), sessionLimit: 1)
    private let host: FeatureHost
    private let loop: EventLoop

    init() throws {
        let channels = (1...30).map { number -> JSONValue in
            [
                "name": .string("Channel \(number)"), "number": .integer(Int64(number)), "address": "239.1.2.3",
                "port": .integer(5_000 + Int64(number) * 2),
            ]
        }
        var context = try FeatureContext.testing(
            of: ChannelList.self,
            settings: [
                "channels": .array(channels), "channelList": ["digitMs": 300, "closeMs": 1_000],
                "lineUp": [
                    "channels": [
                        ["channel": "Channel 2", "hidden": true],
                        ["channel": "Channel 4", "favourite": true, "groups": ["sport"]],
                        ["channel": "Channel 9", "groups": ["sport"]],
                    ]
                ],
            ])
        let screen = screen
        context.provide(
            ScreenTextWriter { input in
                guard !screen.hangs else { return false }
                switch input {
                case .channelList(let panel): screen.list = panel
                case .number(let panel): screen.number = panel
                default: Issue.record("not of this feature")
                }
                screen.writes += 1
                return true
            })
        context.provide(regions)
        context.provide(LineUpView(LineUp(settings: LineUpSettings(context.settings.running.settings))))
        context.provide(NowNextView())
        loop = context.loop
        host = try FeatureHost([ChannelList.self], context)
        regions.tuner = tuner
        host.start()
    }

    @discardableResult
    private func give(_ name: String, _ arguments: JSONValue) throws -> JSONValue {
        var answered = Result<JSONValue, Status>.success(.null)
        let catalogue = Catalogue(FeatureDeclarations([ChannelList.self]).commands)
        let isHandled = host.handle(try CommandRequest(command: name, arguments: arguments, in: catalogue)) {
            answered = $0
        }
        #expect(isHandled)
        return try answered.get()
    }

    @discardableResult
    private func list(_ action: String) throws -> JSONValue { try give("list", ["action": .string(action)]) }

    @Test func aChannelIsChosenFromTheList() throws {
        let shown = try list("show")
        #expect(shown["isOpen"] == true && shown["count"] == 29 && shown["place"] == 1, "one is hidden")
        #expect(screen.list?.rows.first == ChannelListPanel.Row(number: 1, name: "Channel 1"))
        #expect(try list("down")["channel"] == "Channel 3")
        #expect(try list("page-down")["place"] == 12 && screen.list?.selected == 11)
        let tuned = try list("tune")
        #expect(tuned["isOpen"] == false && tuned["channel"] == "Channel 13" && tuner.tuned.count == 1)
        #expect(screen.list == nil)
        #expect(thrown(Status.self) { try list("tune") }?.errorString.contains("expected an open list") == true)
        #expect(try list("down")["isOpen"] == true, "a key opens it")
        #expect(try list("hide")["isOpen"] == false && screen.list == nil)
    }

    @Test func groupsAndFavourites() throws {
        #expect(try give("list", ["action": "show", "group": "sport"])["count"] == 2)
        #expect(screen.list?.heading == "sport" && screen.list?.rows.first?.isFavourite == true)
        #expect(try give("list", ["action": "show", "favouritesOnly": true])["count"] == 1)
        #expect(
            thrown(Status.self) { try give("list", ["action": "show", "group": "news"]) }?.errorString
                == "group is \"news\"; expected a group of a channel that is listed")
    }

    @Test func numbersAreTyped() throws {
        #expect(try give("digit", ["key": "9"])["isTuned"] == true, "no longer number begins with 9")
        #expect(screen.number == nil && tuner.tuned.count == 1)
        let begun = try give("digit", ["key": "1"])
        #expect(begun["isTuned"] == false && begun["channel"] == "Channel 1")
        #expect(screen.number == NumberPanel(digits: "1", name: "Channel 1"))
        #expect(try give("digit", ["key": "2"])["channel"] == "Channel 12" && tuner.tuned.count == 2)
        try give("digit", ["key": "3"])
        #expect(try give("digit", ["key": "ok"])["channel"] == "Channel 3" && screen.number == nil)
        try give("digit", ["key": "3"])
        try give("digit", ["key": "cancel"])
        #expect(screen.number == nil && tuner.tuned.count == 3)
        try give("digit", ["key": "0"])
        #expect(thrown(Status.self) { try give("digit", ["key": "ok"]) }?.errorString.hasPrefix("number is 0") == true)
        #expect(screen.number == nil)
    }

    @Test func timesEndBoth() throws {
        try give("digit", ["key": "1"])
        try list("show")
        let end = SystemClock.monotonic() + .seconds(3)
        while screen.list != nil || screen.number != nil, SystemClock.monotonic() < end {
            _ = loop.after(.milliseconds(50)) { [loop] in loop.stop() }
            try loop.run()
        }
        #expect(screen.list == nil && screen.number == nil && tuner.tuned.count == 1)
    }

    @Test func aTextThreadThatHangsIsSaid() throws {
        screen.hangs = true
        #expect(thrown(Status.self) { try list("show") }?.code == .busy)
        screen.hangs = false
        host.tick(at: SystemClock.monotonic())
        #expect(screen.list != nil)
    }
}
