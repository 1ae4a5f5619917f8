// SPDX-License-Identifier: Apache-2.0
import Announcements
import Buffers
import JSON
import Network
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Box

extension BoxTests {
    /// SVM-04: a box whose machine was suspended, as the kernel's clocks tell it.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct ResumptionTests {
        private static let port: UInt16 = 21_673
        private static let announcements = "239.255.77.71"

        private static let settings: JSONValue = [
            "network": ["interface": "lo"],
            "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
            "announcements": ["groups": [["address": .string(announcements), "port": .integer(Int64(port) + 2)]]],
            "channels": [
                [
                    "name": "One", "address": .string(LoopbackChannel.group), "port": .integer(Int64(port)),
                    "encapsulation": "raw",
                ]
            ],
            "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
            "playback": ["autoTune": "One"],
        ]

        private func announce() throws {
            let socket = try DatagramSocket(sendingTo: Self.announcements, port: Self.port + 2, interface: "lo")
            let announcement = Announcement(
                streamer: .init("head"), sessionNumber: 5,
                license: FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us"), name: "Pitch",
                transport: Transport(address: "239.1.2.3", port: 5_004, encapsulation: .raw))
            let packet = SAPPacket.encoded(
                .announcement, origin: try #require(NumericAddress("127.0.0.1")), payloadType: .announcement,
                payload: announcement.encoded)
            try packet.withUnsafeBytes { try socket.send($0) }
        }

        private func presented(_ stats: JSONValue) -> Int64 { stats.at("/stats/stage/picturesPresented")?.integer ?? 0 }

        private func payloads(_ type: JSONValue, of box: RunningBox) throws -> [JSONValue] {
            let events = try box.answer("events")["events"]?.array ?? []
            return events.filter { $0["type"] == type }.compactMap { $0["payload"] }
        }

        @Test func thePictureReturnsAfterASuspension() throws {
            let channel = try LiveSessionTests.channel(port: Self.port)
            defer { channel.stop() }
            let suspended = LatestValue(Nanoseconds.seconds(60))
            let box = try RunningBox(Self.settings) { $0.clock.suspended = { suspended.value } }
            _ = try box.await("stats", within: .seconds(20)) { presented($0) > 10 }
            try announce()
            _ = try box.await("channels") { $0["channels"]?.array?.count == 2 }
            let before = try box.answer("status")["session"]
            #expect(before?.integer != nil)
            #expect(try payloads("service.resumed", of: box).isEmpty, "what was before the start is no news")

            suspended.set(.seconds(60 + 7_200))
            _ = try box.await("status", within: .seconds(20)) {
                $0["isPlaying"] == true && $0["session"]?.integer != nil && $0["session"] != before
            }
            let shown = presented(try box.answer("stats"))
            _ = try box.await("stats", within: .seconds(20)) { presented($0) > shown + 10 }
            let resumed = try payloads("service.resumed", of: box)
            #expect(resumed == [["suspendedS": 7_200]])
            let rejoined = try payloads("channels.rejoined", of: box).filter { $0["why"] == "resume" }
            #expect(rejoined.count == 1 && rejoined.first?["channel"] == "One", "\(rejoined)")
            #expect(rejoined.first?["groups"] == [.string(LoopbackChannel.group)])
            let listed = try box.answer("channels")["channels"]?.array
            let removed = try payloads("channels.removed", of: box)
            #expect(listed?.count == 2 && removed.isEmpty, "no channel is lost by the gap")
            // Announcements are heard as before.
            try announce()
            _ = try box.await("stats") { $0["stats"]?["announcementsReceived"]?.integer == 2 }
            #expect(box.end() == .ok)
        }
    }
}
