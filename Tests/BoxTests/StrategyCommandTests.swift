// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// What is put over the layout of a whole box, and taken off again (PLAY-33…39, SVM-67); nothing is sent to its
    /// channels.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct StrategyCommandTests {
        private static func settings(sessions: Int64 = 4) -> JSONValue {
            let channels = ["A", "B", "C", "D"].enumerated().map { index, name -> JSONValue in
                ["name": .string(name), "address": "239.255.77.20", "port": .integer(Int64(21_221 + index))]
            }
            let bar: JSONValue = [
                "name": "bar", "layer": "advertisement", "below": ["width": 7_500], "consumers": ["proofOfPlay"],
                "regions": [["name": "ad", "channel": "C", "x": 7_500, "width": 2_500]],
            ]
            let alarm: JSONValue = [
                "name": "alarm", "layer": "emergency", "audioRegion": "exit",
                "regions": [["name": "exit", "channel": "D", "text": "Please leave the building"]],
            ]
            let frame: JSONValue = ["name": "frame", "layer": "controls", "below": ["x": 1_000, "width": 8_000]]
            let two: JSONValue = [
                "name": "two",
                "regions": [
                    ["name": "main", "channel": "A"], ["name": "side", "channel": "B", "x": 5_000, "width": 5_000],
                ],
            ]
            return [
                "network": ["interface": "lo"], "announcements": ["groups": []], "channels": .array(channels),
                "output": ["width": 320, "height": 180, "layout": "two"], "log": ["level": "error"],
                "playback": ["sessionLimit": .integer(sessions)], "layouts": [two],
                "strategies": [bar, alarm, frame],
            ]
        }

        private func open(_ settings: JSONValue = settings(), _ body: (RunningBox) throws -> Void) throws {
            let box = try RunningBox(settings)
            _ = try box.await("status") { $0["channel"] == "A" }
            try body(box)
            #expect(box.end() == .ok)
        }

        private func events(_ type: String, of box: RunningBox) throws -> [JSONValue] {
            try box.answer("events")["events"]?.array?.filter { $0["type"]?.string == type } ?? []
        }

        /// PLAY-33, 34, 39: over the video and beside it, and back to what was there, with the sessions that were.
        @Test func onAndOff() throws {
            try open { box in
                let before = try box.answer("regions")
                #expect(row("main", of: before)["layer"] == "video" && row("main", of: before)["strategy"] == nil)
                #expect(box.client("strategies", "--names").output == "bar\nalarm\nframe\n")
                let on = try box.answer("strategy", "bar", "on")
                #expect(names(on) == ["main", "side", "ad"] && on["layout"] == "two" && on["isChanged"] == false)
                #expect(row("main", of: on)["width"] == 7_500 && row("side", of: on)["x"] == 3_750)
                let ad = row("ad", of: on)
                #expect(ad["plays"] == "C" && ad["layer"] == "advertisement" && ad["strategy"] == "bar")
                #expect(ad["isMuted"] == true && on["document"] == before["document"], "the layout is what it was")
                #expect(try box.answer("strategy", "bar", "on") == on, "it is on already")
                let framed = try box.answer("strategy", "frame", "on")
                #expect(row("ad", of: framed) == ad, "the controls lie below the advertisement")
                #expect(row("main", of: framed)["x"] == 750 && row("main", of: framed)["width"] == 6_000)
                #expect(try box.answer("strategy", "bar", "off")["regions"]?.array?.count == 2)
                let after = try box.answer("strategy", "frame", "off", "--transition", "cut")
                #expect(after == before, "the same sessions in the same places")
                let told = try events("stage.strategy", of: box)
                #expect(told.compactMap { $0.at("/payload/strategy")?.string } == ["bar", "frame", "bar", "frame"])
                #expect(told.compactMap { $0.at("/payload/isOn")?.bool } == [true, true, false, false])
                #expect(told[1].at("/payload/active") == ["frame", "bar"])
                #expect(told[0].at("/payload/layer") == "advertisement")
                let layouts = try events("stage.layout", of: box)
                #expect(layouts.count == 5, "one of the start, and one for each change")
                #expect(layouts.last?.at("/payload/transitionMs") == 0)
            }
        }

        /// PLAY-38: a strategy adds a consumer to the sessions of its own regions, and to no others.
        @Test func aStrategyAddsConsumers() throws {
            try open { box in
                _ = try box.answer("strategy", "bar", "on")
                _ = try box.answer("tune", "D", "--region", "ad")
                _ = try box.answer("tune", "D", "--region", "side")
                _ = try box.answer("strategy", "bar", "off")
                let played = try events("session.played", of: box).compactMap { $0["payload"] }
                #expect(played.compactMap { $0["name"]?.string } == ["C", "D"])
                #expect(played.allSatisfy { $0["region"] == "ad" && $0["strategy"] == "bar" && $0["pictures"] == 0 })
                #expect(try box.answer("config", "strategies")["config"]?.array?.first?["consumers"] == ["proofOfPlay"])
            }
        }

        /// PLAY-33: an emergency over everything is heard alone, and stops what there is no session for until it goes.
        @Test func emergency() throws {
            try open(Self.settings(sessions: 2)) { box in
                let before = try box.answer("regions")
                let limited = try box.answer("strategy", "bar", "on")
                #expect(
                    limited["errorString"]
                        == "with strategy 'bar' there are 3 sessions: expected at most playback.sessionLimit (2)")
                #expect(try box.answer("regions") == before, "a refusal changes nothing")
                let on = try box.answer("strategy", "alarm", "on")
                #expect(row("exit", of: on)["plays"] == "D" && row("exit", of: on)["isMuted"] == false)
                #expect(row("main", of: on)["plays"] == "A" && row("main", of: on)["isMuted"] == true)
                #expect(row("side", of: on)["plays"] == .null && row("exit", of: on)["width"] == 10_000)
                // What is asked for below it counts when it has gone.
                _ = try box.answer("volume", "30", "--region", "main")
                #expect(row("main", of: try box.answer("regions"))["isMuted"] == true)
                let after = try box.answer("strategy", "alarm", "off")
                #expect(names(after) == ["main", "side"] && row("side", of: after)["plays"] == "B")
                #expect(row("main", of: after)["volume"] == 30 && row("main", of: after)["isMuted"] == false)
                #expect(row("main", of: after)["session"] == row("main", of: before)["session"], "it played on")
            }
        }

        /// PLAY-35: another layout comes below what is on. PLAY-36: what is refused names what was expected.
        @Test func layoutsComeBelow() throws {
            try open { box in
                _ = try box.answer("strategy", "bar", "on")
                let quad = try box.answer("layout", "quad")
                #expect(names(quad) == ["main", "second", "third", "fourth", "ad"])
                #expect(row("second", of: quad)["x"] == 3_750 && row("ad", of: quad)["plays"] == "C")
                let moved = try box.answer("region", "second", "--x", "4000")
                #expect(row("second", of: moved)["x"] == 3_000, "moved in the layout, placed by the strategy")
                #expect(moved["document"]?["regions"]?.array?[1]["x"] == 4_000)
                let session = row("ad", of: quad)["session"]
                #expect(row("ad", of: moved)["session"] == session)
                let refusals = [
                    try box.answer("region", "ad", "--x", "0"), try box.answer("region-remove", "ad"),
                    try box.answer("region", "exit", "--x", "0", "--y", "0", "--width", "9", "--height", "9"),
                ]
                let expected = "expected one of the layout, or a new name"
                #expect(
                    refusals.map { $0["errorString"]?.string } == [
                        "region 'ad' is of strategy 'bar': \(expected)",
                        "region 'ad' is of strategy 'bar': \(expected)",
                        "region 'exit' is of strategy 'alarm': \(expected)",
                    ])
                #expect(
                    try box.answer("strategy", "wall", "on")["errorString"]
                        == "strategy 'wall' is not in the settings: expected one of bar, alarm, frame")
                #expect(try box.answer("regions") == moved, "what is refused changes nothing")
                #expect(try box.answer("tune", "B", "--region", "ad")["channel"] == "B")
                #expect(names(try box.answer("strategy", "bar", "off")) == ["main", "second", "third", "fourth"])
            }
        }

        /// Settings put on what is on at start.
        @Test func atStart() throws {
            var settings = Self.settings()
            settings["output"] = ["width": 320, "height": 180, "layout": "two", "strategies": ["bar"]]
            try open(settings) { box in
                let shown = try box.answer("strategies")
                #expect(shown["strategies"]?.array?.map { $0["isOn"] == true } == [true, false, false])
                let regions = try box.answer("regions")
                #expect(["main", "side", "ad"].map { row($0, of: regions)["plays"] } == ["A", "B", "C"])
                #expect(try events("stage.layout", of: box).count == 1)
            }
        }
    }
}
