// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import TestSupport
import Testing
import Time

@testable import Box

extension BoxTests {
    /// `network.interface` changes while a channel plays (SVM-12): every group is left on the old interface and joined
    /// on the new one.
    @Suite(.serialized, .enabled(if: OwnNetwork.canBeMade && Groups.canBeJoined)) struct LiveNetworkTests {
        private static let announcements = "239.255.77.1"
        private static let data = "239.255.77.52"
        private static let groups = [announcements, data, LoopbackChannel.group]

        /// The groups of the box that are joined on an interface of this thread's network namespace.
        private static func joined(on interface: String) -> [String] {
            groups.filter { OwnNetwork.shell("ip maddr show dev \(interface) | grep -qw \($0)") }
        }

        /// Whether all groups are on the one interface and none on the other, at the latest in 5 s: sockets that are left
        /// are closed by another thread.
        private static func isMoved(to new: String, from old: String) -> Bool {
            let deadline = SystemClock.monotonic() + .seconds(5)
            let pause = EventPause()
            while SystemClock.monotonic() < deadline {
                if joined(on: new) == groups, joined(on: old).isEmpty { return true }
                pause.wait()
            }
            return false
        }

        private static func pictures(_ stats: JSONValue) -> Int64 {
            stats.at("/stats/playback/framesDecoded")?.integer ?? 0
        }

        private static func makeBox() throws -> RunningBox {
            try RunningBox([
                "network": ["interface": "box0"],
                "announcements": ["groups": [["address": .string(announcements), "port": 21_246]]],
                "channels": [
                    [
                        "name": "One", "address": .string(LoopbackChannel.group), "port": 21_245,
                        "encapsulation": "raw",
                    ],
                    ["name": "Scores", "kind": "data", "address": .string(data), "port": 21_247, "payloadType": 98],
                ],
                "data": ["consumers": [["channel": "Scores", "kind": "ticker"]]],
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "http": ["isEnabled": false], "playback": ["autoTune": "One"],
            ])
        }

        /// The channel is sent on `lo` alone: it plays while the box listens there.
        @Test func groupsMoveToTheNewInterface() throws {
            try OwnNetwork.run {
                try #require(OwnNetwork.connect())
                let channel = try LiveSessionTests.channel(port: 21_245)
                defer { channel.stop() }
                let box = try Self.makeBox()
                let first = try box.await("status") { $0["session"]?.integer != nil }
                #expect(first["address"] == "10.0.0.1")
                #expect(Self.isMoved(to: "box0", from: "lo"))

                let refusal = try box.answer("config", "set", "network.interface", "box7")["errorString"]?.string ?? ""
                #expect(refusal.contains("interface 'box7' is not there") && refusal.contains("box0"), "\(refusal)")
                #expect(try box.answer("status")["session"] == first["session"])

                #expect(
                    try box.answer("config", "set", "network.interface", "lo")["changes"]
                        == [["path": "/network/interface", "effect": "interruptsPicture"]])
                #expect(Self.isMoved(to: "lo", from: "box0"))
                _ = try box.await("stats", within: .seconds(20)) { Self.pictures($0) > 10 }
                let second = try box.answer("status")
                #expect(second["address"] == "127.0.0.1" && second["session"] != first["session"])

                _ = try box.answer("config", "set", "network.interface", "box0")
                #expect(Self.isMoved(to: "box0", from: "lo"))
                #expect(box.end() == .ok)
            }
        }
    }
}
