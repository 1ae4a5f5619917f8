// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import TestSupport
import Testing
import Time

@testable import Box

extension BoxTests {
    /// G-12: `ping` on a whole box, which goes on with everything else meanwhile.
    @Suite(.serialized, .enabled(if: OwnNetwork.canBeMade)) struct PingCommandTests {
        @Test func aBoxGoesOnWhileItAsks() throws {
            try OwnNetwork.run {
                try #require(
                    OwnNetwork.connect()
                        && OwnNetwork.shell("echo 0 2147483647 >/proc/sys/net/ipv4/ping_group_range"))
                let box = try RunningBox(["announcements": ["groups": []], "log": ["level": "error"]])
                _ = try box.await("status") { $0["boxId"] != nil }
                let asking = Answers()
                let began = SystemClock.monotonic()
                let thread = try DedicatedThread("asking") {
                    asking.take { try box.http("POST", "/v1/ping", ["host": "10.0.0.2", "count": 3]) }
                }
                var answered = 0
                while SystemClock.monotonic() - began < .milliseconds(1_500) {
                    if try box.answer("status")["boxId"] != nil { answered += 1 }
                }
                thread.join()
                let (code, answer) = try asking.get()
                #expect(code == 200 && answer["answered"] == 3, "\(answer.text())")
                #expect(SystemClock.monotonic() - began > .seconds(2), "they are a second apart")
                #expect(answered > 20, "the loop does not wait for it: \(answered)")
                let (refused, status) = try box.http("POST", "/v1/ping", ["host": "10.0.0.2", "count": 21])
                #expect(refused == 400 && status["errorString"]?.string?.contains("1...20") == true)
                #expect(box.end() == .ok)
            }
        }

        private final class Answers: @unchecked Sendable {
            // Sendable: written by the thread before it is joined, read after.
            private var result: Result<(Int, JSONValue), any Error>?

            func take(_ body: () throws -> (Int, JSONValue)) { result = Result { try body() } }

            func get() throws -> (Int, JSONValue) { try #require(result).get() }
        }
    }
}
