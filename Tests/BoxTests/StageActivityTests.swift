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

        /// The statistics when so many more datagrams have come, one in each period of 40 ms.
        private func stats(after datagrams: Int64, of box: RunningBox) throws -> JSONValue {
            let came = "/stats/reception/datagrams"
            let before = try number(came, of: box.answer("stats"))
            return try box.await("stats", within: .seconds(20)) { number(came, of: $0) >= before + datagrams }
        }

        /// In hundredths of a decibel; -12 000 is silence.
        private func peak(_ stats: JSONValue) -> Int64 {
            stats.at("/stats/sessionSound/peakCentidecibels")?.integer ?? -99_999
        }

        /// SVM-64…66, 75: what is hidden is not decoded; with permission its sound goes on without pictures. That may be
        /// given and taken back at any time, and `status` says which it is.
        @Test func soundGoesOnWithPermissionAlone() throws {
            try play(port: 21_657, standby: "suspend") { box, screen in
                let frames = "/stats/playback/framesDecoded"
                let presented = "/stats/stage/picturesPresented"
                let units = "/stats/sessionSound/unitsDecoded"
                func allow(_ state: String) throws -> JSONValue {
                    #expect(try box.answer("background", state) == [:])
                    let status = try box.answer("status")
                    #expect(status["isBackgroundPlaybackAllowed"] == .bool(state == "on"))
                    return status
                }
                #expect(try box.answer("status")["isBackgroundPlaybackAllowed"] == false)
                #expect(try box.answer("visible", "off") == [:])
                #expect(try box.answer("status")["isPlaying"] == false)
                // What had been read ahead has passed then.
                let hidden = try stats(after: 40, of: box)
                #expect(number(frames, of: hidden) > 0 && number(units, of: hidden) > 0)
                let silent = try stats(after: 25, of: box)
                for path in [frames, presented, units] {
                    #expect(number(path, of: silent) == number(path, of: hidden), "\(path)")
                }
                #expect(peak(silent) == -12_000)

                #expect(try allow("on")["isPlaying"] == true)
                let heard = try box.await("stats", within: .seconds(20)) { stats in
                    peak(stats) > -4_000 && number(units, of: stats) > number(units, of: silent) + 30
                }
                for path in [frames, presented] {
                    #expect(number(path, of: heard) == number(path, of: silent), "\(path)")
                }
                #expect(try allow("off")["isPlaying"] == false)
                let ended = try stats(after: 40, of: box)
                let still = try stats(after: 25, of: box)
                #expect(number(units, of: still) == number(units, of: ended))

                // Given while the picture is seen, it holds when the television goes off.
                #expect(try box.answer("visible", "on") == [:])
                try awaitPictures(of: box)
                #expect(try allow("on")["isPlaying"] == true)
                screen.change { $0.isConnected = false }
                try awaitActivity(false, of: box)
                #expect(try box.answer("status")["isPlaying"] == true)
                let dark = try stats(after: 25, of: box)
                let later = try box.await("stats", within: .seconds(20)) { stats in
                    peak(stats) > -4_000 && number(units, of: stats) > number(units, of: dark) + 30
                }
                #expect(number(frames, of: later) == number(frames, of: dark))
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
