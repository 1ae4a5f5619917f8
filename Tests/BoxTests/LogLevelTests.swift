// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// How much a whole box logs, by settings, by the HTTP API and by its socket, which the console uses too.
    @Suite(.serialized) struct LogLevelTests {
        private static let clip = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL.path
        private static let played = "<5>playback: played "

        /// Plays something, so that there is something to log.
        /// - Returns: the lines of it.
        private func lines(of box: RunningBox, _ log: LogLines) throws -> [String] {
            log.clear()
            #expect(try box.answer("playlist", "Clip")["errorString"] == nil)
            _ = try box.await("status") { $0["isPlaying"] == true }
            _ = try box.answer("stop")
            _ = try box.await("status") { _ in log.contains(Self.played) }
            return log.all
        }

        /// The subsystems that wrote debug lines.
        private func debugged(_ lines: [String]) -> Set<String> {
            Set(lines.filter { $0.hasPrefix("<7>") }.map { String($0.dropFirst(3).prefix { $0 != ":" }) })
        }

        /// SVM-08: INFO at first; each subsystem by itself; and DEBUG has what INFO has, and more.
        @Test func eachWayOfSettingIt() throws {
            let log = LogLines()
            let settings: JSONValue = [
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "output": ["width": 320, "height": 180], "sound": ["kind": "null"],
                "http": ["port": 0, "role": "administrator"], "playback": ["autoPlay": true],
                "playlists": [["name": "Clip", "items": [["file": .string(Self.clip)]]]],
            ]
            let box = try RunningBox(settings, change: { $0.log = { log.write($0) } })
            _ = try box.await("status") { $0["boxId"] != nil }
            let standard = try lines(of: box, log)
            #expect(debugged(standard).isEmpty && standard.contains { $0.hasPrefix(Self.played) })

            let (code, levels) = try box.http("POST", "/v1/log-level", ["subsystem": "playback", "level": "debug"])
            #expect(code == 200 && levels == ["level": "info", "subsystems": ["playback": "debug"]])
            let more = try lines(of: box, log)
            #expect(debugged(more) == ["playback"], "a superset: what INFO has was awaited, too")

            // Settings that change say it all anew.
            #expect(try box.merge(["log": ["subsystems": ["service": "debug"]]])["errorString"] == nil)
            #expect(debugged(try lines(of: box, log)) == ["service"])

            #expect(try box.answer("log-level", "error")["subsystems"] == ["service": "debug"])
            #expect(try box.answer("log-level", "playback", "debug")["level"] == "error")
            #expect(debugged(try lines(of: box, log)) == ["playback", "service"])

            #expect(try box.answer("log-level", "service", "error")["errorString"] == nil)
            #expect(try box.answer("log-level", "playback", "notice")["errorString"] == nil)
            let few = try lines(of: box, log)
            #expect(few.allSatisfy { $0.hasPrefix("<5>playback: ") || $0.hasPrefix("<4>playback: ") }, "\(few)")
            let unknown = try box.http("POST", "/v1/log-level", ["subsystem": "nobody", "level": "debug"])
            #expect(unknown.code == 409 && unknown.body["errorString"]?.string?.contains("expected one of") == true)
            #expect(box.end() == .ok)
        }
    }
}
