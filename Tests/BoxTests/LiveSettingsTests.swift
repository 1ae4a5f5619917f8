// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import System
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// Settings that change while a channel plays: each takes effect in the running box, and interrupts what it promised
    /// to interrupt and no more (SVM-12, SVM-18).
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct LiveSettingsTests {
        private struct Row {
            let path: String
            let value: String
            let effect: LiveChange
            /// Whether the effect is to be seen.
            var isSeen: (RunningBox) throws -> Bool = { _ in true }
        }

        private static func rows(_ directory: String) -> [Row] {
            let wave = directory + "/sound.wav"
            func isRecorded(_ box: RunningBox) throws -> Bool {
                (try DurableFile.read(wave, limit: 64 << 20)?.count ?? 0) > 20_000
            }
            return [
                Row(path: "log.level", value: "warning", effect: .atOnce),
                Row(path: "playback.autoAdvance", value: "true", effect: .atOnce),
                Row(path: "playback.fallback", value: "hold", effect: .atOnce),
                Row(path: "playback.damage", value: "hold", effect: .interruptsPicture),
                Row(path: "playback.startPolicy", value: "stretch", effect: .interruptsPicture),
                Row(path: "playback.decoding", value: "software", effect: .interruptsPicture),
                Row(path: "playback.historyLimitMB", value: "32", effect: .interruptsPicture),
                Row(path: "playback.playoutDelayMs", value: "400", effect: .interruptsPicture),
                Row(path: "network.sourceFailoverMs", value: "700", effect: .interruptsPicture),
                Row(path: "screenText.timeZone", value: "Asia/Tokyo", effect: .atOnce) { box in
                    try box.answer("status")["localTime"]?.string?.contains("+09:00") ?? false
                },
                Row(path: "screenText.safeAreaPercent", value: "8", effect: .atOnce),
                Row(path: "sound.wavPath", value: wave, effect: .interruptsSound),
                Row(path: "sound.kind", value: "wav", effect: .interruptsSound, isSeen: isRecorded),
            ]
        }

        private func session(_ box: RunningBox) throws -> Int64? { try box.answer("status")["session"]?.integer }

        private func pictures(_ stats: JSONValue) -> Int64 { stats.at("/stats/playback/framesDecoded")?.integer ?? 0 }

        @Test func eachTakesEffectAndInterruptsWhatItPromised() throws {
            let channel = try LiveSessionTests.channel(port: 21_243)
            defer { channel.stop() }
            let box = try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [
                    [
                        "name": "One", "address": .string(LoopbackChannel.group), "port": 21_243,
                        "encapsulation": "raw",
                    ]
                ],
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["autoTune": "One"],
            ])
            _ = try box.await("stats", within: .seconds(20)) { pictures($0) > 10 }
            for row in Self.rows(box.directory) {
                let before = try #require(try session(box))
                let promise = try box.answer("config", "set", row.path, row.value, "--check")
                #expect(try session(box) == before, "\(row.path): a check interrupts")
                let report = try box.answer("config", "set", row.path, row.value)
                #expect(report["changes"] == promise["changes"], "\(row.path)")
                let pointer = "/" + row.path.replacing(".", with: "/")
                #expect(
                    report["changes"] == [["path": .string(pointer), "effect": .string(row.effect.rawValue)]],
                    "\(row.path): \(report.text())")
                _ = try box.await("stats", within: .seconds(20)) { pictures($0) > 10 }
                let after = try #require(try session(box))
                #expect((after != before) == (row.effect == .interruptsPicture), "\(row.path): \(before) \(after)")
                _ = try box.await("status", within: .seconds(10)) { _ in (try? row.isSeen(box)) ?? false }
            }
            #expect(box.end() == .ok)
        }
    }
}
