// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// Playlists whose items can be had from several places, in a whole box (PLAY-20…22, 28).
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct SourcePolicyTests {
        private static let clip = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL.path
        /// Six seconds of HEVC, where `clip` is three of H.264.
        private static let film = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../ContainersTests/Vectors/long.mp4").standardizedFileURL.path

        private static var settings: JSONValue {
            let sources: JSONValue = [
                ["delivery": "MULTICAST", "location": "A"],
                ["delivery": "HLS", "location": "https://a.example/a.m3u8"],
                ["delivery": "MP4", "file": .string(clip), "properties": ["kbps": 800]],
            ]
            let match: JSONValue = [
                "title": "Match", "properties": ["referenceId": ["bar": [1, 2]]], "sources": sources,
            ]
            return [
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [["name": "A", "address": "239.255.77.38", "port": 21_591]],
                "playlists": [
                    [
                        "name": "List", "properties": ["sponsor_1": "Club"],
                        "items": [match, ["file": .string(clip), "title": "After"]],
                    ]
                ],
                "output": ["width": 320, "height": 180], "sound": ["kind": "null"], "log": ["level": "error"],
                "http": ["port": 0, "role": "administrator"],
            ]
        }

        /// A playlist that plays at once.
        private static func playing(_ items: [JSONValue]) -> JSONValue {
            var settings: JSONValue = Self.settings
            settings["playlists"] = [["name": "List", "items": .array(items)]]
            settings["playback"] = ["autoPlay": true]
            return settings
        }

        private func delivery(_ playback: JSONValue?, _ box: RunningBox) throws -> JSONValue? {
            if let playback {
                #expect(try box.http("PATCH", "/v1/config", ["playback": playback]).code == 200)
            }
            #expect(try box.http("POST", "/v1/playlist", ["name": "List"]).code == 200)
            return try box.http("GET", "/v1/position").body["delivery"]
        }

        @Test func settingsChoose() throws {
            let log = LogLines()
            let box = try RunningBox(Self.settings) { options in options.log = { log.write($0) } }
            _ = try box.await("status") { $0["boxId"] != nil }
            #expect(try delivery(nil, box) == "MP4", "by the policy of the reference")
            let position = try box.answer("position")
            #expect(position["channel"] == "Match" && position["properties"] == ["referenceId": ["bar": [1, 2]]])
            #expect(position["sourceProperties"] == ["kbps": 800])
            _ = try box.answer("play")
            _ = try box.await("position") { $0["progressMs"]?.integer ?? 0 > 200 }
            #expect(try delivery(["sourcePolicy": "first"], box) == "MULTICAST")
            #expect(try delivery(["sourcePolicy": "ordered", "sourceOrder": ["RTP", "MP4"]], box) == "MP4")
            // Nothing of the first item is left; the next names its source.
            #expect(try delivery(["sourceOrder": ["HLS"]], box) == "FILE")
            #expect(try box.answer("status")["channel"] == "After")
            let events = try box.answer("events")["events"]?.array ?? []
            let failed = events.last { $0["type"] == "session.fail" }?["payload"]
            #expect(failed?["code"] == "noSourceFound" && failed?["why"] == "Match")
            let isLogged = log.all.contains { $0.contains("no source found") && $0.contains("video=Match") }
            #expect(isLogged, "\(log.all)")
            let list = try box.http("GET", "/v1/playlists").body.at("/playlists/0")
            #expect(
                list?.at("/properties/sponsor_1") == "Club"
                    && list?.at("/videos/0/properties/referenceId/bar") == [1, 2])
            #expect(list?.at("/videos/0/sources/2/properties/kbps") == 800)
            #expect(list?.at("/videos/1/sources/0/delivery") == "FILE")
            #expect(box.end() == .ok)
        }

        /// SVM-12: files are named by the box itself alone, also as sources; channels and URLs by whoever may set.
        @Test func filesAreLocal() throws {
            let box = try RunningBox(Self.settings)
            _ = try box.await("status") { $0["boxId"] != nil }
            func patch(_ source: JSONValue) throws -> (code: Int, why: String) {
                let lists: JSONValue = [["name": "New", "items": [["sources": [source]]]]]
                let (code, body) = try box.http("PATCH", "/v1/config", ["playlists": lists])
                return (code, body.text())
            }
            let file = try patch(["delivery": "MP4", "file": "/etc/passwd"])
            #expect(file.code == 409 && file.why.contains("by the local control socket only"))
            let location = try patch(["delivery": "MP4", "location": "/etc/passwd"])
            #expect(location.code != 200 && location.why.contains("a URL, or a file instead"))
            #expect(try box.answer("playlists").at("/playlists/0/name") == "List", "a refusal changes nothing")
            #expect(try patch(["delivery": "MULTICAST", "location": "A"]).code == 200)
            #expect(try box.answer("playlists").at("/playlists/0/name") == "New")
            #expect(box.end() == .ok)
        }

        /// PLAY-16: who comes late learns the duration of what plays, and none that was that of another session.
        @Test func theLastDurationIsThatOfWhatPlays() throws {
            let box = try RunningBox(Self.settings)
            _ = try box.await("status") { $0["boxId"] != nil }
            func duration() throws -> JSONValue? {
                var late = try LateSubscriberTests.follower(box)
                let events = try LateSubscriberTests.snapshot(&late, box)
                return events.last { $0["type"] == "session.durationChanged" }?["payload"]
            }
            _ = try box.answer("playlist", "List")
            _ = try box.answer("play")
            _ = try box.await("position") { $0["durationMs"]?.integer ?? 0 > 0 }
            _ = try box.await("events") { answer in
                answer["events"]?.array?.contains { $0["type"] == "session.durationChanged" } ?? false
            }
            let session = try box.answer("status")["session"]
            #expect(try duration()?["session"] == session)
            _ = try box.answer("tune", "A")
            #expect(try duration() == nil, "a channel has none")
            #expect(box.end() == .ok)
        }

        /// PLAY-16: progress is told once a second while something plays.
        @Test func progressIsTold() throws {
            let box = try RunningBox(Self.playing([["file": .string(Self.film), "title": "Film"]]))
            _ = try box.await("status") { $0["boxId"] != nil }
            _ = try box.answer("playlist", "List")
            func progress() throws -> [JSONValue] {
                let events = try box.answer("events")["events"]?.array ?? []
                return events.filter { $0["type"] == "session.progress" }
            }
            _ = try box.await("position", within: .seconds(20)) { $0["progressMs"]?.integer ?? 0 > 4_400 }
            let told = try progress().compactMap { event -> (from: Int64, to: Int64)? in
                guard let from = event.at("/payload/previousTimeMs")?.integer,
                    let to = event.at("/payload/currentTimeMs")?.integer
                else { return nil }
                return (from, to)
            }
            for (before, after) in zip(told, told.dropFirst()) { #expect(after.from == before.to) }
            // The box looks each second at a position that is at most 100 ms old. A busy machine may miss a look; then
            // one step is longer, but not half of them.
            let steps = told.dropFirst().map { $0.to - $0.from }.sorted()
            try #require(steps.count >= 2, "\(told)")
            #expect(steps[(steps.count - 1) / 2] <= 1_150, "\(told)")
            #expect(box.end() == .ok)
        }

        /// PLAY-08: what plays after `next` is the next video: its name, its streams and its pictures.
        @Test func nextPlays() throws {
            let items: [JSONValue] = [
                ["file": .string(Self.clip), "title": "First"], ["file": .string(Self.film), "title": "Second"],
            ]
            let box = try RunningBox(Self.playing(items))
            _ = try box.await("status") { $0["boxId"] != nil }
            func presented(_ stats: JSONValue) -> Int64 {
                stats.at("/stats/stage/picturesPresented")?.integer ?? 0
            }
            func codings() throws -> [String] {
                let streams = try box.answer("streams")["streams"]?.array ?? []
                return streams.filter { $0["isPlayed"] == true }.compactMap { $0["codec"]?.string }
            }
            #expect(try box.answer("playlist", "List")["channel"] == "First")
            _ = try box.await("stats", within: .seconds(20)) { presented($0) > 5 }
            let first = try box.answer("status")["session"]
            #expect(try codings() == ["h264", "aac"])

            #expect(try box.answer("next")["channel"] == "Second")
            let before = presented(try box.answer("stats"))
            _ = try box.await("stats", within: .seconds(20)) { presented($0) > before + 10 }
            let status = try box.answer("status")
            #expect(status["channel"] == "Second" && status["isPlaying"] == true && status["session"] != first)
            #expect(try codings() == ["hevc", "aac"])
            let position = try box.answer("position")
            #expect(position["channel"] == "Second" && position["durationMs"]?.integer ?? 0 > 5_000)
            #expect(try box.answer("next")["errorString"] == "the playlist has no next item")
            #expect(try box.answer("status")["session"] == status["session"], "a refusal changes nothing")
            #expect(box.end() == .ok)
        }
    }
}
