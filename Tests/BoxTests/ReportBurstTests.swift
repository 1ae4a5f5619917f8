// SPDX-License-Identifier: Apache-2.0
import Buffers
import JSON
import Synchronization
import System
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// A whole box whose media plane reports faster than the control loop takes the reports.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct ReportBurstTests {
        /// The newest report about a session is its state after 10⁵ reports, and the answer to a command that was given in
        /// their midst comes.
        @Test func aBurstLosesNoState() throws {
            let channel = try LiveSessionTests.channel(port: 21_246)
            defer { channel.stop() }
            let held = Mutex<StateMailbox<MediaReport>?>(nil)
            let box = try RunningBox(
                [
                    "network": ["interface": "lo"], "announcements": ["groups": []],
                    "channels": [
                        [
                            "name": "One", "address": .string(LoopbackChannel.group), "port": 21_246,
                            "encapsulation": "raw",
                        ]
                    ],
                    "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                    "playback": ["autoTune": "One", "playoutDelayMs": 300],
                ], made: { box in held.withLock { $0 = box.control.reports } })
            let status = try box.await("status", within: .seconds(20)) { $0["isPlaying"] == true }
            let session = Int(try #require(status["session"]?.integer))
            let reports = try #require(held.withLock { $0 })
            for isFed in [false, true, false, true] {
                let sender = try DedicatedThread("burst") {
                    for _ in 0..<25_000 {
                        reports.post(.stage(isFed ? .starved(session: session) : .fed(session: session)))
                        reports.post(.stage(.alive))
                        reports.post(.playback(.streamUnsupported(session: session, what: "a stream")))
                        reports.post(.stage(isFed ? .fed(session: session) : .starved(session: session)))
                    }
                }
                #expect(try box.answer("screenshot")["width"] == 320)
                sender.join()
                _ = try box.await("status") { $0["isPlaying"] == .bool(isFed) }
            }
            #expect(try box.answer("tune", "One")["errorString"] == nil)
            _ = try box.await("status", within: .seconds(20)) { $0["isPlaying"] == true }
            #expect(box.end() == .ok)
        }
    }
}
