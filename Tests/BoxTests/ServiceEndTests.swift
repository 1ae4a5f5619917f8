// SPDX-License-Identifier: Apache-2.0
import Buffers
import Forwarding
import Foundation
import JSON
import Layouts
import Media
import Scene
import System
import TestSupport
import Testing
import Time

@testable import Box
@testable import Presentation

extension BoxTests {
    /// SVM-03: the end of a box that plays a channel on a screen and has a reporter that does not answer.
    @Suite(.serialized, .enabled(if: OwnNetwork.canBeMade && Groups.canBeJoined)) struct ServiceEndTests {
        private static let size = PixelSize(width: 320, height: 180)
        private static let port: UInt16 = 21_671
        /// The group of `LoopbackChannel` as the kernel's table has it.
        private static let kernelGroup = "154DFFEF"

        private static let settings: JSONValue = [
            "box": ["name": "Ceiling 7"], "network": ["interface": "lo"], "announcements": ["groups": []],
            "channels": [
                [
                    "name": "One", "address": .string(LoopbackChannel.group), "port": .integer(Int64(port)),
                    "encapsulation": "raw",
                ]
            ],
            "output": ["kind": "kms", "drawing": "processor", "width": 320, "height": 180],
            "log": ["level": "error"], "sound": ["kind": "null"], "playback": ["autoTune": "One"],
            "strategies": [
                [
                    "name": "bar", "layer": "advertisement", "consumers": ["proofOfPlay"],
                    "regions": [["name": "ad", "channel": "One", "x": 7_500, "width": 2_500]],
                ]
            ],
            "reports": ["url": "http://127.0.0.1:9/{box}", "intervalS": 3_600],
        ]

        /// Blue, green and red of each pixel, row by row.
        private static func colours(_ octets: some Collection<UInt8>) -> [UInt8] {
            octets.enumerated().compactMap { place, octet in place % 4 == 3 ? nil : octet }
        }

        private static func drawn(_ card: Slate) throws -> [UInt8] {
            let canvas = CanvasBuffer(width: size.width, height: size.height)
            let painter = SlatePainter()
            try painter.draw(card, nil, on: canvas)
            var octets: [UInt8] = []
            for row in 0..<size.height {
                octets += canvas.bytes[row * canvas.stride..<row * canvas.stride + size.width * 4]
            }
            return colours(octets)
        }

        private static func isJoined() throws -> Bool {
            let table = try String(contentsOfFile: "/proc/thread-self/net/igmp", encoding: .utf8)
            return table.contains(kernelGroup)
        }

        /// The reports that wait for the reporter, as the box leaves them.
        private static func reports(of box: RunningBox) throws -> [JSONValue] {
            var random = SystemRandomNumberGenerator()
            let moment = Moment(SystemClock.monotonic(), SystemClock.wall())
            let spool = Spool(SpoolDirectory(box.directory + "/state/spool"), at: moment, &random)
            let batch = try #require(spool.summary(octets: 8 << 20, at: moment.now).backlog)
            return try batch.records.map { try JSONValue.parse($0.payload) }
        }

        @Test func theCardIsLastAndTheLastReportIsKept() throws {
            try OwnNetwork.run {
                try #require(OwnNetwork.connect())
                let channel = try LiveSessionTests.channel(port: Self.port)
                defer { channel.stop() }
                let screen = FaultyScreen(size: Self.size)
                let card = LatestValue<Slate?>(nil)
                let box = try RunningBox(Self.settings) { options in
                    options.devices.cards = screen.search
                } made: { box in
                    card.set(box.control.features[Layouts.self].offAirCard)
                }
                _ = try box.await("status") { $0["boxId"] != nil }
                #expect(try box.answer("strategy", "bar", "on")["errorString"] == nil)
                for region in [nil, "ad"] as [JSONValue?] {
                    _ = try box.await("events", within: .seconds(20)) { answer in
                        (answer["events"]?.array ?? []).compactMap { $0["payload"] }.contains {
                            $0["channelState"] == "play" && $0["region"] == region
                        }
                    }
                }
                let expected = try Self.drawn(try #require(card.value))
                let seen = Self.colours(screen.now.lastPicture)
                #expect(seen.count == expected.count && seen != expected, "it is the channel's")
                #expect(try Self.isJoined())
                let before = Nanoseconds(SystemClock.monotonic().nanoseconds).milliseconds
                #expect(box.end(isKept: true) == .ok)
                let took = Nanoseconds(SystemClock.monotonic().nanoseconds).milliseconds - before
                defer { try? FileManager.default.removeItem(atPath: box.directory) }  // a leftover hurts nobody

                let last = Self.colours(screen.now.lastPicture)
                let isCard = last == expected
                #expect(isCard)
                // The last socket is closed by a thread that the box does not wait for.
                let (pause, limit) = (EventPause(), SystemClock.monotonic() + .seconds(5))
                while try Self.isJoined(), SystemClock.monotonic() < limit { pause.wait() }
                let isJoined = try Self.isJoined()
                #expect(!isJoined, "the group is left")
                #expect(took < 5_000, "systemd waits for 10 s")
                let reports = try Self.reports(of: box)
                let state = try #require(reports.last { $0["kind"] == "state" })
                let made = try #require(state["monotonicMs"]?.integer)
                #expect(made >= before, "it is made at the end")
                let session = state["sessions"]?.array?.first
                #expect(session?["region"] == "main" && session?["channel"] == "One", "while the session is open")
                let events = reports.flatMap { $0["events"]?.array ?? [] }
                let played = events.filter { $0["type"] == "session.played" }.compactMap { $0["payload"] }
                #expect(played.count == 1 && played.first?["region"] == "ad")
                #expect(played.first?["pictures"]?.integer ?? 0 > 0, "what was played is told as well")
            }
        }
    }
}
