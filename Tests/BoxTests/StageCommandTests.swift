// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// Layouts and regions of a whole box; nothing is sent to its channels.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct StageCommandTests {
        private static func settings(sessions: Int64 = 4) -> JSONValue {
            let channels = ["A", "B", "C", "D", "E"].enumerated().map { index, name -> JSONValue in
                ["name": .string(name), "address": "239.255.77.19", "port": .integer(Int64(21_201 + index))]
            }
            let parts: [JSONValue] = [
                ["name": "main", "channel": "A"], ["name": "side", "channel": "B", "x": 5_000, "width": 5_000],
            ]
            let three: JSONValue = ["name": "low", "channel": "C", "y": 5_000, "height": 5_000]
            var layouts: [JSONValue] = [["name": "two", "regions": .array(parts)]]
            if sessions > 2 { layouts.append(["name": "three", "regions": .array(parts + [three])]) }
            return [
                "network": ["interface": "lo"], "announcements": ["groups": []], "channels": .array(channels),
                "output": ["width": 320, "height": 180], "log": ["level": "error"],
                "playback": ["sessionLimit": .integer(sessions)], "layouts": .array(layouts),
            ]
        }

        private func open(_ settings: JSONValue = settings(), _ body: (RunningBox) throws -> Void) throws {
            let box = try RunningBox(settings)
            _ = try box.await("status") { $0["boxId"] != nil }
            try body(box)
            #expect(box.end() == .ok)
        }

        /// SVM-71: chosen by name, told by an event, and written so that it can be read again.
        @Test func layouts() throws {
            try open { box in
                #expect(box.client("layouts", "--names").output == "full\npip\nquad\ngallery\ntwo\nthree\n")
                let full = try box.answer("layout")
                #expect(try box.answer("regions") == full)
                #expect(full["layout"] == "full" && full["isChanged"] == false && names(full) == ["main"])
                #expect(try box.answer("status")["layout"] == "full")
                let quad = try box.answer("layout", "quad", "--transition", "fade", "--duration-ms", "100")
                #expect(names(quad) == ["main", "second", "third", "fourth"])
                #expect(row("fourth", of: quad)["x"] == 5_000 && row("fourth", of: quad)["plays"] == .null)
                #expect(row("main", of: quad)["isMuted"] == false && row("second", of: quad)["isMuted"] == true)
                let two = try box.answer("layout", "two")
                #expect(row("main", of: two)["plays"] == "A" && row("side", of: two)["plays"] == "B")
                #expect(two["document"]?["regions"]?.array?.last?["channel"] == "B")
                #expect(
                    try box.answer("layout", "wall")["errorString"]
                        == "layout 'wall' is not there: expected one of full, pip, quad, two, three, gallery")
                #expect(try box.answer("layout")["layout"] == "two", "a refusal changes nothing")
                let events = try box.answer("events")["events"]?.array?.filter { $0["type"] == "stage.layout" } ?? []
                #expect(events.compactMap { $0.at("/payload/layout")?.string } == ["full", "quad", "two"])
                #expect(events.compactMap { $0.at("/payload/transitionMs")?.integer } == [0, 100, 250])
            }
        }

        /// A session of each region, with commands, numbers and events of its own.
        @Test func regionsAreIndependent() throws {
            try open { box in
                _ = try box.answer("layout", "quad")
                #expect(try box.answer("tune", "A")["channel"] == "A")
                for (name, region) in [("B", "second"), ("C", "third")] {
                    #expect(try box.answer("tune", name, "--region", region)["channel"] == .string(name))
                }
                let shown = try box.answer("layout")
                let numbers = ["main", "second", "third"].map { row($0, of: shown)["session"]?.integer ?? 0 }
                #expect(numbers == [1, 2, 3], "PLAY-13: never the same")
                // A number says the region; with another region it is wrong.
                #expect(try box.answer("pause", "--session", "2") == [:])
                #expect(try box.answer("position", "--region", "second")["isPaused"] == true)
                #expect(try box.answer("position")["isPaused"] == false)
                #expect(
                    try box.answer("pause", "--session", "2", "--region", "third")["errorString"]
                        == "session 2 is discarded: expected the open one (3)")
                #expect(
                    try box.answer("pause", "--region", "fifth")["errorString"]
                        == "region 'fifth' is not on the stage: expected one of main, second, third, fourth")
                #expect(try box.answer("channel-up", "--region", "second")["channel"] == "C")
                #expect(try box.answer("status")["channel"] == "A")
                // Kept from layout to layout: what plays in main goes on.
                _ = try box.answer("layout", "full")
                let after = try box.answer("status")
                #expect(after["channel"] == "A" && after["session"] == 1)
                let events = try box.answer("events")["events"]?.array ?? []
                let states = events.filter { $0["type"] == "video.channelState" }.compactMap { event in
                    event["payload"].map {
                        "\($0["region"]?.string ?? "-") \($0["channelName"]?.string ?? "") \($0["channelState"]?.string ?? "")"
                    }
                }
                #expect(
                    states == [
                        "- A open", "second B open", "third C open", "second B stop", "second B close",
                        "second C open", "second C stop", "second C close", "third C stop", "third C close",
                    ])
            }
        }

        /// Only main is heard until somebody asks for another, and something is when the other goes.
        @Test func oneRegionIsHeard() throws {
            try open { box in
                _ = try box.answer("layout", "two")
                #expect(try box.answer("audio-region", "side") == ["volume": 100, "isMuted": false, "region": "side"])
                #expect(row("main", of: try box.answer("layout"))["isMuted"] == true)
                #expect(
                    try box.answer("volume", "40", "--region", "main")
                        == ["volume": 40, "isMuted": false, "region": "main"])
                #expect(try box.answer("mute", "on", "--region", "main")["isMuted"] == true)
                // Of all together, as ever.
                #expect(try box.answer("volume", "70") == ["volume": 70, "isMuted": false])
                _ = try box.answer("layout", "full")
                #expect(row("main", of: try box.answer("layout"))["isMuted"] == false)
                #expect(row("main", of: try box.answer("layout"))["volume"] == 40)
                #expect(
                    try box.answer("audio-region", "side")["errorString"]?.string?.contains("expected one of main")
                        == true)
            }
        }

        /// SVM-42: the limit is named, and what is refused has changed nothing.
        @Test func sessionsAreLimited() throws {
            try open(Self.settings(sessions: 2)) { box in
                _ = try box.answer("layout", "quad")
                _ = try box.answer("tune", "A")
                _ = try box.answer("tune", "B", "--region", "second")
                let limit = "2 sessions are open: expected fewer than playback.sessionLimit (2)"
                #expect(try box.answer("tune", "C", "--region", "third")["errorString"] == .string(limit))
                #expect(try box.answer("region", "third", "--channel", "C")["errorString"] == .string(limit))
                #expect(try box.answer("tune", "C")["channel"] == "C", "instead of what plays there")
                #expect(
                    try box.answer("gallery", "A,B,C")["errorString"]
                        == "channels are 3; expected at most playback.sessionLimit (2)")
                // Of the layout's two and main, which goes on.
                _ = try box.answer("stop", "--region", "second")
                _ = try box.answer("tune", "D", "--region", "second")
                #expect(names(try box.answer("layout", "two")) == ["main", "side"])
                _ = try box.answer("region", "corner", "--x", "0", "--y", "0", "--width", "99", "--height", "99")
                #expect(row("corner", of: try box.answer("layout"))["plays"] == .null)
            }
        }

        /// MEET-47: moved and resized while it is on.
        @Test func regionsChange() throws {
            try open { box in
                let moved = try box.answer("region", "main", "--width", "5000", "--height", "5000", "--x", "2500")
                #expect(moved["isChanged"] == true && moved["layout"] == "full")
                let main = row("main", of: moved)
                #expect(main["x"] == 2_500 && main["y"] == 0 && main["width"] == 5_000)
                #expect(
                    try box.answer("region", "main", "--x", "5001")["errorString"]
                        == "width is 5000; expected at most 4999, because x is 5001")
                #expect(
                    try box.answer("region", "new", "--x", "0", "--y", "0", "--width", "10")["errorString"]
                        == "height is missing; expected ten-thousandths of the stage, because the region is a new one")
                #expect(
                    try box.answer("region", "main", "--crop", "1,2,3")["errorString"]
                        == "crop is \"1,2,3\"; expected X,Y,WIDTH,HEIGHT, each 0...10000 and not empty")
                #expect(
                    try box.answer("region", "main", "--channel", "Nowhere")["errorString"]?.string?
                        .hasPrefix("channel 'Nowhere' is not in the line-up") == true)
                #expect(row("main", of: try box.answer("layout")) == main, "what is refused changes nothing")
                let new = try box.answer(
                    "region", "corner", "--x", "7000", "--y", "0", "--width", "3000", "--height", "3000", "--order",
                    "-1", "--opacity", "60", "--fit", "fill", "--rotation", "90", "--crop", "0,0,5000,5000",
                    "--channel", "B")
                let corner = row("corner", of: new)
                #expect(corner["plays"] == "B" && corner["channel"] == "B" && corner["opacity"] == 60)
                #expect(corner["order"] == -1 && corner["fit"] == "fill" && corner["rotation"] == 90)
                #expect(corner["crop"] == ["x": 0, "y": 0, "width": 5_000, "height": 5_000])
                #expect(
                    try box.answer("region-remove", "main")["errorString"]?.string?.contains("always there") == true)
                #expect(names(try box.answer("region-remove", "corner")) == ["main"])
                #expect(
                    try box.answer("region-remove", "corner")["errorString"]?.string?.contains("not on the stage")
                        == true)
                #expect(try box.answer("layout", "full")["isChanged"] == false)
            }
        }

        /// MEET-46: a grid of what is asked for, or of the line-up.
        @Test func gallery() throws {
            try open { box in
                let given = try box.answer("gallery", "C, 901,A")
                #expect(given["layout"] == "gallery" && names(given) == ["main", "tile2", "tile3"])
                #expect(["main", "tile2", "tile3"].map { row($0, of: given)["plays"] } == ["C", "B", "A"])
                #expect(
                    try box.answer("gallery", "A,,B")["errorString"]?.string?.hasPrefix("channel '' is not in") == true)
                let all = try box.answer("layout", "gallery")
                #expect(all["regions"]?.array?.compactMap { $0["plays"]?.string } == ["A", "B", "C", "D"])
                #expect(row("tile4", of: all)["x"] == 5_000 && row("tile4", of: all)["y"] == 5_000)
            }
        }

        /// MEET-46, 47: a part of the layout is seen, page by page; what is out of sight waits and comes back.
        @Test func viewport() throws {
            try open { box in
                _ = try box.answer("gallery", "A,B,C,D")
                let whole: JSONValue = ["x": 0, "y": 0, "width": 10_000, "height": 10_000]
                #expect(try box.answer("viewport") == whole)
                let page = try box.answer("viewport", "--width", "5000", "--height", "5000")
                #expect(page == ["x": 0, "y": 0, "width": 5_000, "height": 5_000])
                let shown = try box.answer("regions")
                #expect(shown["isChanged"] == true && names(shown) == ["main", "tile2", "tile3", "tile4"])
                #expect(row("main", of: shown)["width"] == 10_000 && row("main", of: shown)["isSeen"] == true)
                #expect(row("tile2", of: shown)["x"] == .null && row("tile2", of: shown)["isSeen"] == false)
                #expect(row("tile2", of: shown)["plays"] == "B", "its session waits")
                #expect(shown.at("/document/viewport") == page && shown.at("/document/regions/1/x") == 5_000)
                #expect(try box.answer("viewport", "--pan", "right")["x"] == 5_000)
                #expect(try box.answer("viewport", "--pan", "right")["x"] == 5_000, "that is the edge")
                #expect(try box.answer("status")["isVisible"] == false, "main is out of sight")
                #expect(row("tile2", of: try box.answer("regions"))["isSeen"] == true)
                _ = try box.answer("viewport", "--region", "tile3")
                #expect(row("tile3", of: try box.answer("regions"))["height"] == 10_000)
                #expect(
                    try box.answer("viewport", "--x", "5001")["errorString"]
                        == "width is 5000; expected at most 4999, because x is 5001")
                #expect(
                    try box.answer("viewport", "--region", "side")["errorString"]
                        == "region 'side' is not on the stage: expected one of main, tile2, tile3, tile4")
                // Tiles are moved in the layout, wherever they are seen.
                _ = try box.answer("region", "tile3", "--x", "2500")
                #expect(row("tile3", of: try box.answer("regions"))["x"] == 5_000)
                _ = try box.answer("viewport", "--x", "0", "--y", "0", "--width", "10000", "--height", "10000")
                let back = try box.answer("regions")
                #expect(back["regions"]?.array?.compactMap { $0["plays"]?.string } == ["A", "B", "C", "D"])
                #expect(try box.answer("status")["isVisible"] == true)
                let event = try box.answer("events")["events"]?.array?.last { $0["type"] == "stage.layout" }
                #expect(event?.at("/payload/viewport") == whole)
            }
        }

        /// A region waits for a channel that is not there, says so, and has what settings want at start.
        @Test func layoutAtStart() throws {
            var settings = Self.settings()
            settings["output"] = ["width": 320, "height": 180, "layout": "waits"]
            settings["layouts"] = [
                [
                    "name": "waits",
                    "regions": [["name": "main", "channel": "E"], ["name": "side", "channel": "Late"]],
                ]
            ]
            try open(settings) { box in
                let shown = try box.answer("layout")
                #expect(shown["layout"] == "waits" && row("main", of: shown)["plays"] == "E")
                #expect(row("side", of: shown)["plays"] == .null && row("side", of: shown)["channel"] == "Late")
                #expect(try box.answer("tune", "A", "--region", "side")["channel"] == "A")
                let stats = try box.answer("stats")
                #expect(stats.at("/stats/regions/side/playback") != nil)
                #expect(stats.at("/stats/playback") != nil && stats.at("/stats/regions/main/reception") != nil)
                #expect(stats.at("/stats/regions/side/stage/picturesPresented") == 0)
            }
        }
    }
}
