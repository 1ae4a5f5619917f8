// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

extension Interop {
    /// Whatever playback waits for, there is a way on.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct WaysBackTests {
        private static let film =
            ["ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25"]
            + ["-re", "-f", "lavfi", "-i", "sine=440:sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast"]
            + ["-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac"]

        /// Of pictures and of sound, of which ffmpeg puts a third of a second into a unit, within three seconds.
        private func grows(_ box: BoxProcess) async throws -> Bool {
            let before = try await box.counters("/stage/picturesPresented", "/playback/audioUnits")
            return try await eventually(within: .seconds(3)) {
                let now = try await box.counters("/stage/picturesPresented", "/playback/audioUnits")
                return now[0] - before[0] > 25 && now[1] - before[1] > 4
            }
        }

        /// `sync.md` F1: a pause, and a hidden picture, of longer than the history. Playback goes on at the oldest picture
        /// that is kept.
        @Test func awayForLongerThanTheHistory() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                let box = try await BoxProcess(
                    ["channels": [target.json], "playback": ["historyMs": 3_000]], in: venue)
                try venue.start(Self.film + target.output(), name: "ffmpeg")
                try await box.tune("One")
                try await Task.sleep(for: .seconds(3))
                let ways: [(leave: [String], comeBack: [String])] = [
                    (["pause"], ["play"]), (["visible", "off"], ["visible", "on"]),
                ]
                for (leave, comeBack) in ways {
                    _ = try box.ask("rewind", ["ms": 500])
                    _ = try await box.run(leave)
                    try await Task.sleep(for: .seconds(5))
                    _ = try await box.run(comeBack)
                    #expect(try await grows(box), "\(comeBack)")
                    let position = try box.ask("position")
                    let behind = position["offsetMs"]?.integer ?? -1
                    let available = position["availableMs"]?.integer ?? -1
                    #expect(behind > 500 && behind <= available + 1_500, "\(position.text())")
                    #expect(try await box.answer("status")["noPictureBecause"]?.string == nil)
                }
                try Peer.ffmpeg.log(test: #function, checks: 6)
            }
        }

        private enum Act: CaseIterable { case pause, hide, rewind, live, tuneAgain, encoderRestarts, senderIsSilent }

        /// What people and networks do, drawn from a seed, in real time: after each act there are pictures and sound
        /// within three seconds. Thirty in the soak; a thousand in simulated time are those of `PlaybackScriptTests`.
        @Test(arguments: 0..<(Interop.isSoak ? 30 : 1)) func scripts(number: Int) async throws {
            try await TestVenue.open { venue in
                var random = SplitMix64(seed: Interop.seed &+ UInt64(number))
                let target = StreamTarget()
                let box = try await BoxProcess(
                    ["channels": [target.json], "playback": ["historyMs": 3_000]], in: venue)
                var sender = try venue.start(Self.film + target.output(), name: "ffmpeg")
                try await box.tune("One")
                try await Task.sleep(for: .seconds(3))
                let steps = Interop.isSoak ? 10 : 4
                for step in 0..<steps {
                    let act = Act.allCases.randomElement(using: &random) ?? .pause
                    let milliseconds = [500, 2_900, 3_100, 6_000].randomElement(using: &random) ?? 500
                    let span = Duration.milliseconds(milliseconds)
                    switch act {
                    case .pause:
                        _ = try await box.run(["pause"])
                        try await Task.sleep(for: span)
                        _ = try await box.run(["play"])
                    case .hide:
                        _ = try await box.run(["visible", "off"])
                        try await Task.sleep(for: span)
                        _ = try await box.run(["visible", "on"])
                    case .rewind: _ = try box.ask("rewind", ["ms": .integer(Int64(milliseconds))])
                    case .live: _ = try box.ask("live")
                    case .tuneAgain:
                        _ = try box.ask("stop")
                        try await Task.sleep(for: span)
                        try await box.tune("One")
                    case .encoderRestarts:
                        try await sender.end()
                        sender = try venue.start(Self.film + target.output(), name: "ffmpeg-\(step)")
                        try await awaitDatagrams(of: box)
                    case .senderIsSilent:
                        sender.signal(SIGSTOP)
                        try await Task.sleep(for: span)
                        sender.signal(SIGCONT)
                        // Nobody can go back into the hole.
                        _ = try await box.run(["live"])
                    }
                    let isBack = try await grows(box)
                    #expect(isBack, "script \(number), act \(step) of \(steps): \(act) \(span)")
                }
                try Peer.ffmpeg.log(test: #function, checks: steps)
            }
        }

        /// Until the sender sends again.
        private func awaitDatagrams(of box: BoxProcess) async throws {
            let before = try await box.counter("/reception/datagrams")
            let isSending = try await eventually(within: .seconds(10)) {
                try await box.counter("/reception/datagrams") > before + 50
            }
            #expect(isSending)
        }
    }
}
