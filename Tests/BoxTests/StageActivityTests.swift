// SPDX-License-Identifier: Apache-2.0
import JSON
import Scene
import System
import TestSupport
import Testing
import Time

@testable import Box

extension BoxTests {
    /// What a box knows of its screen and of who can see its regions, and what it does while nobody can.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct StageActivityTests {
        private static func settings(port: UInt16, output: JSONValue) -> JSONValue {
            [
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [
                    [
                        "name": "One", "address": .string(LoopbackChannel.group), "port": .integer(Int64(port)),
                        "encapsulation": "raw",
                    ]
                ],
                "output": (["width": 320, "height": 180] as JSONValue).merging(patch: output),
                "log": ["level": "error"], "sound": ["kind": "null"], "playback": ["autoTune": "One"],
                "strategies": [
                    [
                        "name": "alarm", "layer": "emergency",
                        "regions": [["name": "notice"]],
                    ]
                ],
            ]
        }

        /// A box that plays on a screen, with its channel.
        private func play(
            port: UInt16, standby: String, _ body: (RunningBox, FaultyScreen) throws -> Void
        ) throws {
            let channel = try LiveSessionTests.channel(port: port)
            defer { channel.stop() }
            let screen = FaultyScreen(size: PixelSize(width: 320, height: 180))
            let output: JSONValue = ["kind": "kms", "drawing": "processor", "standby": .string(standby)]
            let box = try RunningBox(Self.settings(port: port, output: output)) { options in
                options.devices.cards = screen.search
            }
            try awaitPictures(of: box)
            try awaitActivity(true, of: box)
            try body(box, screen)
            #expect(box.end() == .ok)
        }

        private func awaitActivity(_ isActive: Bool, of box: RunningBox) throws {
            let wanted = JSONValue.bool(isActive)
            _ = try box.await("status", within: .seconds(20)) {
                $0["isStageActive"] == wanted && $0["isVisible"] == wanted
            }
        }

        /// Pictures are presented that were not before.
        private func awaitPictures(of box: RunningBox) throws {
            let before = try number("/stats/stage/picturesPresented", of: box.await("stats") { $0["stats"] != nil })
            _ = try box.await("stats", within: .seconds(20)) {
                number("/stats/stage/picturesPresented", of: $0) > before + 5
            }
        }

        private func number(_ path: String, of stats: JSONValue) -> Int64 { stats.at(path)?.integer ?? 0 }

        private func activities(_ box: RunningBox) throws -> [JSONValue] {
            let events = try box.answer("events")["events"]?.array ?? []
            return events.filter { $0["type"] == "stage.active" }.compactMap { $0["payload"] }
        }

        /// SVM-76: an unplugged screen, and a card of which another process is the master, make the stage inactive until
        /// that is over. Pictures go on meanwhile.
        @Test func theScreenGoesAndComes() throws {
            try play(port: 21_651, standby: "play") { box, screen in
                let session = try box.answer("status")["session"]
                screen.change { $0.isConnected = false }
                try awaitActivity(false, of: box)
                _ = try box.await("status") { $0["isPlaying"] == true }
                screen.change { $0.isConnected = true }
                try awaitActivity(true, of: box)
                screen.change { $0.isTaken = true }
                try awaitActivity(false, of: box)
                screen.change { $0.isTaken = false }
                try awaitActivity(true, of: box)
                try awaitPictures(of: box)
                #expect(try box.answer("status")["session"] == session)
                let told = try activities(box)
                #expect(told.compactMap { $0["isActive"]?.bool } == [true, false, true, false, true])
                #expect(told.allSatisfy { $0["isStandby"] == false })
            }
        }

        /// SVM-04: with `output.standby` `suspend` nothing is decoded while the television is off. The session stays, and
        /// its picture returns with the television.
        @Test func thePictureReturnsWithTheTelevision() throws {
            try play(port: 21_653, standby: "suspend") { box, screen in
                let session = try box.answer("status")["session"]
                screen.change { $0.isConnected = false }
                try awaitActivity(false, of: box)
                _ = try box.await("status") { $0["isPlaying"] == false }
                #expect(try activities(box).last?["isStandby"] == true)
                // What was on its way to the decoder has passed.
                SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(500))
                let before = try box.answer("stats")
                SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(1_000))
                let after = try box.answer("stats")
                let frames = "/stats/playback/framesDecoded"
                #expect(number(frames, of: before) > 0 && number(frames, of: after) == number(frames, of: before))
                let heard = "/stats/reception/datagrams"
                #expect(number(heard, of: after) > number(heard, of: before), "the group stays joined")
                screen.change { $0.isConnected = true }
                try awaitActivity(true, of: box)
                try awaitPictures(of: box)
                let status = try box.await("status") { $0["isPlaying"] == true }
                #expect(status["session"] == session)
            }
        }

        /// SVM-74: what lies over a region, its opacity, and the output decide whether it is visible.
        @Test func coversHide() throws {
            let box = try RunningBox(Self.settings(port: 21_655, output: [:]))
            _ = try box.await("status", within: .seconds(20)) { $0["isVisible"] == true && $0["isStageActive"] == true }
            func check(_ names: String, _ line: SourceLocation = #_sourceLocation) throws {
                let rows = try box.answer("regions")["regions"]?.array ?? []
                let visible = rows.filter { $0["isVisible"] == true }.compactMap { $0["name"]?.string }
                #expect(visible.joined(separator: " ") == names, sourceLocation: line)
                let status = try box.answer("status")
                #expect(status["isVisible"] == .bool(visible.contains("main")), sourceLocation: line)
            }
            let place = ["--x", "0", "--y", "0", "--height", "10000"]
            _ = try box.answer(["region", "half", "--width", "5000"] + place)
            try check("main half")
            _ = try box.answer(["region", "cover", "--width", "10000"] + place)
            try check("cover")
            _ = try box.answer("region", "cover", "--opacity", "50")
            try check("main half cover")
            _ = try box.answer("strategy", "alarm", "on")
            try check("notice")
            _ = try box.answer("strategy", "alarm", "off")
            try check("main half cover")
            _ = try box.answer("region", "main", "--opacity", "0")
            try check("half cover")
            _ = try box.answer("region", "main", "--opacity", "100")
            _ = try box.answer("config", "set", "output.kind", "null")
            _ = try box.await("status") { $0["isVisible"] == false && $0["isStageActive"] == false }
            #expect(box.end() == .ok)
        }
    }
}
