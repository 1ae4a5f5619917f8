// SPDX-License-Identifier: Apache-2.0
import Announcements
import JSON
import Network
import TestSupport
import Testing
import Time
import Venue

@testable import Box

extension BoxTests {
    /// A channel that plays while nobody announces it any more (SVM-29).
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct LiveAnnouncementTests {
        /// Without announcements it goes after three seconds, but not while its media come.
        @Test func whatPlaysStays() throws {
            let media = try LiveSessionTests.channel(port: 21_283)
            let license = FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us")
            let box = try RunningBox([
                "network": ["interface": "lo"],
                "announcements": [
                    "groups": [["address": "239.255.77.1", "port": 21_284]], "pruneMinimumMs": 1_000,
                ],
                "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["autoTune": "Pitch", "playoutDelayMs": 300],
            ])
            _ = try box.await("status") { $0["boxId"] != nil }
            let socket = try DatagramSocket(sendingTo: "239.255.77.1", port: 21_284, interface: "lo")
            let announcement = Announcement(
                streamer: .init("head"), sessionNumber: 5, license: license, name: "Pitch",
                transport: Transport(address: LoopbackChannel.group, port: 21_283, encapsulation: .raw),
                interval: .seconds(1))
            let packet = SAPPacket.encoded(
                origin: try #require(NumericAddress("127.0.0.1")), payloadType: .announcement,
                payload: announcement.encoded)
            try packet.withUnsafeBytes { try socket.send($0) }
            // 25 pictures a second: eight seconds without an announcement.
            _ = try box.await("stats", within: .seconds(30)) {
                $0.at("/stats/playback/framesDecoded")?.integer ?? 0 > 200
            }
            #expect(try box.answer("status")["channel"] == "Pitch")
            #expect(try box.answer("channels")["channels"]?.array?.count == 1)
            media.stop()
            _ = try box.await("channels") { $0["channels"]?.array?.isEmpty == true }
            // What announcements change is told within a moment, not at once.
            let events = try box.await("events") { RunningBox.types(of: $0).contains("channels.removed") }
            #expect(RunningBox.types(of: events).count { $0 == "channels.removed" } == 1)
            #expect(box.end() == .ok)
        }
    }
}
