// SPDX-License-Identifier: Apache-2.0
import Display
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// The output changes while the box runs (SVM-12).
    @Suite(.serialized) struct LiveOutputTests {
        private func presented(_ box: RunningBox) throws -> Int64 {
            try box.answer("stats").at("/stats/stage/picturesPresented")?.integer ?? 0
        }

        /// The stage has another size, and the session that plays there shows its pictures on it.
        @Test(.enabled(if: Groups.canBeJoined)) func picturesGoOnOnTheNextOutput() throws {
            let channel = try LiveSessionTests.channel(port: 21_248)
            defer { channel.stop() }
            let box = try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [
                    [
                        "name": "One", "address": .string(LoopbackChannel.group), "port": 21_248,
                        "encapsulation": "raw",
                    ]
                ],
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["autoTune": "One"],
            ])
            _ = try box.await("stats", within: .seconds(20)) {
                $0.at("/stats/stage/picturesPresented")?.integer ?? 0 > 5
            }
            let session = try box.answer("status")["session"]
            let sizes: [(name: String, value: Int64)] = [("width", 640), ("height", 360), ("width", 480)]
            for (name, value) in sizes {
                _ = try box.answer("config", "set", "output.\(name)", "\(value)")
                #expect(try box.answer("screenshot")[name] == .integer(value))
                let before = try presented(box)
                _ = try box.await("stats", within: .seconds(20)) {
                    $0.at("/stats/stage/picturesPresented")?.integer ?? 0 > before + 5
                }
                #expect(try box.answer("status")["session"] == session)
            }
            #expect(box.end() == .ok)
        }

        /// G-38: the stage is rotated and drawn in from the edges while the box runs; screenshots show it upright.
        @Test func theStageFollowsHowTheScreenIsMounted() throws {
            let box = try RunningBox([
                "announcements": ["groups": []], "output": ["width": 320, "height": 180], "log": ["level": "error"],
                "sound": ["kind": "null"],
            ])
            _ = try box.await("screenshot") { $0["width"] == 320 }
            let changes: [(name: String, value: String, width: Int64, height: Int64)] = [
                ("rotation", "90", 180, 320), ("overscanPercent", "5", 162, 288), ("rotation", "180", 288, 162),
                ("overscanPercent", "0", 320, 180), ("rotation", "270", 180, 320),
            ]
            for change in changes {
                _ = try box.answer("config", "set", "output.\(change.name)", change.value)
                let shot = try box.answer("screenshot")
                #expect(shot["width"] == .integer(change.width) && shot["height"] == .integer(change.height))
                #expect(
                    try box.answer("status")["output"] == .string("headless \(change.width)x\(change.height)"))
            }
            let refusal = try box.answer("config", "set", "output.rotation", "45")["errorString"]?.string ?? ""
            #expect(refusal.contains("/output/rotation is 45; expected 0, 90, 180 or 270"), "\(refusal)")
            #expect(try box.answer("config", "output.rotation")["config"] == 270)
            #expect(try box.answer("screenshot")["width"] == 180)
            #expect(box.end() == .ok)
        }

        /// An output that cannot be had is refused, and the one in use goes on.
        @Test(.enabled(if: CardConnectors.names().isEmpty)) func anOutputThatIsNotThereIsRefused() throws {
            let box = try RunningBox([
                "announcements": ["groups": []], "output": ["width": 320, "height": 180], "log": ["level": "error"],
            ])
            _ = try box.await("screenshot") { $0["width"] == 320 }
            let refusal = try box.answer("config", "set", "output.kind", "kms")["errorString"]?.string ?? ""
            #expect(refusal.contains("output: kind is kms and there is no graphics card"), "\(refusal)")
            #expect(try box.answer("status")["output"] == "headless 320x180")
            #expect(try box.answer("config", "explain", "output.kind")["awaitsRestart"] == false)
            #expect(try box.answer("screenshot")["width"] == 320)
            #expect(box.end() == .ok)
        }
    }
}
