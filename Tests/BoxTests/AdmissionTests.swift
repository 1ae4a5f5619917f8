// SPDX-License-Identifier: Apache-2.0
import Announcements
import JSON
import Network
import System
import TestSupport
import Testing
import Time
import Venue

import class Foundation.FileManager

@testable import Box

extension BoxTests {
    /// What a whole box refuses to play because it would be too much (SVM-38, 42); nothing is sent to its channels.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct AdmissionTests {
        private static func channel(_ name: String, _ index: Int, kbps: Int64) -> JSONValue {
            [
                "name": .string(name), "address": "239.255.77.37", "port": .integer(Int64(21_361 + index)),
                "bandwidthKbps": .integer(kbps),
            ]
        }

        /// - Parameter playback: beside what all of them have.
        private static func settings(_ playback: JSONValue) -> JSONValue {
            let rates: [(String, Int64)] = [("A", 4_000), ("B", 4_000), ("C", 4_000), ("Unknown", 0)]
            let parts: [JSONValue] = [
                ["name": "main", "channel": "A"], ["name": "side", "channel": "B"], ["name": "low", "channel": "C"],
            ]
            return [
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": .array(rates.enumerated().map { channel($1.0, $0, kbps: $1.1) }),
                "layouts": [["name": "three", "regions": .array(parts)]],
                "playlists": [["name": "List", "items": [["channel": "C"], ["channel": "Unknown"]]]],
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "playback": playback,
                "http": ["port": 0, "role": "administrator"],
            ]
        }

        private func refusals(_ box: RunningBox) throws -> [JSONValue] {
            let events = try box.answer("events")["events"]?.array ?? []
            return events.filter { $0["type"] == "session.refused" }.compactMap { $0["payload"] }
        }

        private func plays(_ region: String, _ box: RunningBox) throws -> JSONValue {
            row(region, of: try box.answer("regions"))["plays"] ?? .null
        }

        private let why = "channels of 12000 kbit/s would play: expected at most playback.bandwidthLimitKbps (8000)"

        /// Refused with the sum and the limit, by socket and HTTP, and what plays is untouched; a session that ends makes
        /// room for another.
        @Test func bandwidth() throws {
            let box = try RunningBox(Self.settings(["bandwidthLimitKbps": 8_000]))
            _ = try box.await("status") { $0["boxId"] != nil }
            _ = try box.answer("layout", "quad")
            #expect(try box.answer("tune", "A")["channel"] == "A")
            #expect(try box.answer("tune", "B", "--region", "second")["channel"] == "B")
            let before = try box.answer("regions")
            #expect(try box.answer("tune", "C", "--region", "third")["errorString"] == .string(why))
            let (code, body) = try box.http("POST", "/v1/tune", ["channel": "C", "region": "third"])
            #expect(code != 200 && body["errorString"] == .string(why))
            #expect(try box.answer("playlist", "List", "--region", "third")["errorString"] == .string(why))
            #expect(try box.answer("layout", "three")["errorString"] == .string(why))
            #expect(try box.answer("gallery", "A,B,C")["errorString"] == .string(why))
            #expect(try box.answer("regions") == before, "the same sessions in the same places")
            let told = try refusals(box)
            #expect(told.compactMap { $0["what"]?.string } == ["C", "C", "List", "three", "gallery"])
            #expect(told.allSatisfy { $0["why"] == .string(why) } && told.first?["region"] == "third")
            // What is received already comes once, and nobody knows what the other takes.
            #expect(try box.answer("tune", "A", "--region", "third")["channel"] == "A")
            #expect(try box.answer("tune", "Unknown", "--region", "fourth")["channel"] == "Unknown")
            _ = try box.answer("stop", "--region", "second")
            #expect(try box.answer("tune", "C", "--region", "second")["channel"] == "C", "there is room again")
            // The limit is changed while they play, and nothing ends for it.
            #expect(try box.http("PATCH", "/v1/config", ["playback": ["bandwidthLimitKbps": 1_000]]).code == 200)
            #expect(try plays("main", box) == "A" && plays("second", box) == "C")
            #expect(try box.answer("tune", "B")["errorString"]?.string?.contains("(1000)") == true)
            #expect(box.end() == .ok)
        }

        /// A layout of the settings waits for room, says so once, and has its channel when another one goes.
        @Test func whatWaitsComesLater() throws {
            var settings = Self.settings(["bandwidthLimitKbps": 8_000])
            settings["output"] = ["width": 320, "height": 180, "layout": "three"]
            let box = try RunningBox(settings)
            _ = try box.await("regions") { row("side", of: $0)["plays"] == "B" }
            #expect(try plays("low", box) == .null)
            _ = try box.await("status") { $0["uptimeMs"]?.integer ?? 0 > 2_500 }
            let told = try refusals(box)
            #expect(told.count == 1 && told.first?["what"] == "C" && told.first?["region"] == "low")
            _ = try box.answer("stop", "--region", "side")
            _ = try box.await("regions") { row("low", of: $0)["plays"] == "C" }
            #expect(box.end() == .ok)
        }

        /// Channels are not limited in number: two hundred are announced, listed and tuned; only bandwidth limits those
        /// that play.
        @Test func twoHundredAnnouncedChannels() throws {
            var settings = Self.settings(["bandwidthLimitKbps": 8_000])
            for name in ["channels", "layouts", "playlists"] { settings[name] = [] }
            settings["license"] = ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"]
            settings["announcements"] = ["groups": [["address": "239.255.77.39", "port": 21_395]]]
            let box = try RunningBox(settings)
            _ = try box.await("status") { $0["boxId"] != nil }
            let socket = try DatagramSocket(sendingTo: "239.255.77.39", port: 21_395, interface: "lo")
            let (origin, pause) = (try #require(NumericAddress("127.0.0.1")), EventPause())
            let license = FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us")
            var listed: Int64 = 0
            let deadline = SystemClock.monotonic() + .seconds(30)
            while listed < 200, SystemClock.monotonic() < deadline {
                for number in 0..<200 {
                    let announcement = Announcement(
                        streamer: .init("head"), sessionNumber: Int64(number), license: license,
                        name: "Channel \(number)", bandwidthKbps: 4_000,
                        transport: Transport(
                            address: "239.255.77.37", port: UInt16(21_600 + number), encapsulation: .raw))
                    let packet = SAPPacket.encoded(
                        .announcement, origin: origin, payloadType: .announcement, payload: announcement.encoded)
                    try packet.withUnsafeBytes { try socket.send($0) }
                    // A box takes two hundred new ones a second.
                    if number % 5 == 4 { pause.wait() }
                }
                listed = try box.answer("status")["channelCount"]?.integer ?? 0
            }
            let list = try box.await("channels") { $0["channels"]?.array?.count == 200 }
            #expect(Set((list["channels"]?.array ?? []).compactMap { $0["number"]?.integer }).count == 200)
            #expect(try box.http("GET", "/v1/channels?kind=video").body["channels"]?.array?.count == 200)
            _ = try box.answer("layout", "quad")
            #expect(try box.answer("tune", "Channel 0")["channel"] == "Channel 0")
            #expect(try box.answer("tune", "Channel 199", "--region", "second")["channel"] == "Channel 199")
            #expect(try box.answer("tune", "Channel 100", "--region", "third")["errorString"] == .string(why))
            #expect(box.end() == .ok)
        }

        /// Where only the machine's decoders may decode, as many sessions are admitted as they take.
        @Test func decoders() throws {
            let boards = "/tmp/touchline-boards-" + (try BoxIdentity.random())
            defer { try? FileManager.default.removeItem(atPath: boards) }  // a leftover in /tmp hurts nobody
            let file = #"{"compatible":["maker,board"],"devices":[{"driver":"vpu","instances":1}]}"#
            try DecoderCommandTests.manifest([("board.json", file)], in: boards)
            let box = try RunningBox(Self.settings(["decoding": "hardware"])) { options in
                options.boards = boards
                options.machine = ["maker,board"]
                options.decoders = { .devices(["/dev/video1"], driver: "vpu", software: [.h264]) }
            }
            _ = try box.await("status") { $0["boxId"] != nil }
            _ = try box.answer("layout", "quad")
            #expect(try box.answer("tune", "A")["channel"] == "A")
            let refusal = try box.answer("tune", "B", "--region", "second")["errorString"]?.string ?? ""
            #expect(refusal.hasPrefix("1 sessions have a decoder each: expected fewer than the decoders take (1)"))
            #expect(try box.answer("tune", "B")["channel"] == "B", "instead of what plays there")
            #expect(try refusals(box).count == 1)
            _ = try box.answer("config", "set", "playback.decoding", "auto")
            #expect(try box.answer("tune", "A", "--region", "second")["channel"] == "A", "the processor decodes it")
            #expect(box.end() == .ok)
        }
    }
}
