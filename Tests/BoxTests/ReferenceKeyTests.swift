// SPDX-License-Identifier: Apache-2.0
import Announcements
import Foundation
import JSON
import Network
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Box

extension BoxTests {
    /// Statistics of the reference on whole boxes, each against what the test itself has counted.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct ReferenceKeyTests {
        private static func key(_ name: String, _ stats: JSONValue) -> Int64 { stats["stats"]?[name]?.integer ?? -1 }

        private static func row(_ name: String, port: Int64) -> JSONValue {
            [
                "name": .string(name), "address": .string(LoopbackChannel.group), "port": .integer(port),
                "encapsulation": "raw",
            ]
        }

        private static func settings(_ rows: [JSONValue]) -> JSONValue {
            [
                "network": ["interface": "lo"], "announcements": ["groups": []], "channels": .array(rows),
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["playoutDelayMs": 300],
            ]
        }

        /// SVM-110: each time that the box leaves and joins a silent group again, a router hears one more report.
        @Test(.enabled(if: OwnNetwork.canBeMade)) func rejoinsAreThoseOnTheWire() throws {
            try OwnNetwork.run {
                let group = "239.255.77.63"
                // The kernel says each change once, not twice.
                try #require(OwnNetwork.shell("echo 1 >/proc/sys/net/ipv4/igmp_qrv"))
                try #require(OwnNetwork.connect())
                let router = try #require(MembershipReports(on: "venue0"))
                let box = try RunningBox([
                    "network": ["interface": "box0"], "log": ["level": "error"],
                    "announcements": ["groups": [["address": .string(group), "port": 21_401]]],
                ])
                let join = MembershipReports.Record(type: 4, group: group)
                var joined = 0
                _ = try box.await("status") { status in
                    joined += router.take().filter { $0 == join }.count
                    return status["boxId"] != nil && joined > 0
                }
                let sender = try DatagramSocket(sendingTo: group, port: 21_401, interface: "venue0")
                let announcement = Announcement(
                    streamer: .init("head"), sessionNumber: 5,
                    license: FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us"), name: "Pitch",
                    transport: Transport(address: LoopbackChannel.group, port: 21_402, encapsulation: .raw),
                    interval: .seconds(1))
                let packet = SAPPacket.encoded(
                    origin: try #require(NumericAddress("10.0.0.2")), payloadType: .announcement,
                    payload: announcement.encoded)
                // Two give the group an interval of a second; then it is silent for ever.
                for number in 1...2 as ClosedRange<Int64> {
                    try packet.withUnsafeBytes { try sender.send($0) }
                    let stats = try box.await("stats", "--session") {
                        Self.key("announcementsReceived", $0) == number
                    }
                    #expect(Self.key("listenerIgmpRestarts", stats) == 0)
                    if number == 1 { SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(1_500)) }
                }
                _ = router.take()
                // After 10 s, and after 20 s more.
                var rejoined: Int64 = 0
                let stats = try box.await("stats", "--session", within: .seconds(60)) { stats in
                    rejoined += Int64(router.take().filter { $0 == join }.count)
                    return rejoined >= 2 && Self.key("listenerIgmpRestarts", stats) >= 2
                }
                #expect(rejoined == 2)
                #expect(Self.key("listenerIgmpRestarts", stats) == rejoined)
                #expect(box.end() == .ok)
            }
        }

        /// SVM-111: the pictures that the sender has made unreadable, and those that were late.
        @Test func droppedPicturesAreThoseThatTheSenderSpoilt() throws {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL
            var stream = [UInt8](try Data(contentsOf: file))
            let spoilt = Int64(Self.spoilPictures(&stream))
            try #require(spoilt == 11)
            let box = try RunningBox(Self.settings([Self.row("One", port: 21_403)]))
            _ = try box.await("status") { $0["boxId"] != nil }
            #expect(try box.answer("tune", "One")["errorString"] == nil)
            _ = try box.await("stats") { $0.at("/stats/reception") != nil }
            let (octets, step) = (stream, stream.count / 188 / 75 * 188)
            // Once, and then nothing.
            let channel = try LoopbackChannel(port: 21_403, every: .milliseconds(40)) {
                return { number in Array(octets.dropFirst(number * step).prefix(step)) }
            }
            defer { channel.stop() }
            func count(_ path: String, _ stats: JSONValue) -> Int64 { stats.at("/stats/" + path)?.integer ?? -1 }
            func late(_ stats: JSONValue) -> Int64 {
                count("stage/picturesLate", stats) + count("playback/picturesTooLate", stats)
                    + count("playback/unitsLeftOut", stats)
            }
            let stats = try box.await("stats", within: .seconds(20)) { stats in
                // The decoder keeps the last few pictures, as none follow.
                count("playback/framesDecoded", stats) >= 75 - spoilt - 6
                    && count("playback/decodeErrors", stats) == spoilt
                    && Self.key("num_dropped_video_frames", stats) == spoilt + late(stats)
            }
            #expect(count("playback/decodeErrors", stats) == spoilt)
            #expect(late(stats) >= 0)
            #expect(Self.key("num_dropped_video_frames", stats) == spoilt + late(stats))
            let session = try box.answer("stats", "--session")
            #expect(Self.key("num_dropped_video_frames", session) >= spoilt)
            #expect(box.end() == .ok)
        }

        /// Every second picture that no other refers to, after the first six, names parameters that are not there, so
        /// that a decoder refuses its unit and no other.
        /// - Returns: how many these are.
        private static func spoilPictures(_ stream: inout [UInt8]) -> Int {
            var (units, found, spoilt) = (0, 0, 0)
            for start in stride(from: 0, to: stream.count - 187, by: 188) {
                let hasAdaptation = stream[start + 3] & 0x20 != 0
                let body = start + 4 + (hasAdaptation ? 1 + Int(stream[start + 4]) : 0)
                let end = start + 188
                guard stream[start + 1] & 0x40 != 0, body + 9 <= end, stream[body..<body + 4] == [0, 0, 1, 0xe0]
                else { continue }
                units += 1
                let places = body + 4..<end - 5
                // The slice of a picture to which none refers: nal_ref_idc is 0 and nal_unit_type 1.
                guard let place = places.first(where: { stream[$0..<$0 + 4] == [0, 0, 1, 1] }) else { continue }
                found += 1
                guard units > 6, found.isMultiple(of: 2) else { continue }
                // first_mb_in_slice 0, slice_type 0, and a pic_parameter_set_id above 255.
                (stream[place + 4], stream[place + 5]) = (0xc0, 0x10)
                spoilt += 1
            }
            return spoilt
        }

        /// SVM-115: whole seconds since the session was opened, by the test's clock, and anew for each session.
        @Test func uptimeIsThatOfTheSession() throws {
            let channel = try LiveSessionTests.channel(port: 21_404)
            defer { channel.stop() }
            let box = try RunningBox(Self.settings([Self.row("One", port: 21_404), Self.row("Two", port: 21_405)]))
            _ = try box.await("status") { $0["boxId"] != nil }
            for (name, age) in [("One", Nanoseconds.milliseconds(3_500)), ("Two", .milliseconds(1_200))] {
                let asked = SystemClock.monotonic()
                #expect(try box.answer("tune", name)["errorString"] == nil)
                let answered = SystemClock.monotonic()
                SystemClock.sleep(until: answered + age)
                let before = SystemClock.monotonic()
                let stats = try box.answer("stats", "--session")
                let after = SystemClock.monotonic()
                let uptime = Self.key("session_uptime", stats)
                // The control loop may have read its clock a little before it read the command.
                let (least, most) = ((before - answered).seconds, (after - asked + .milliseconds(100)).seconds)
                #expect(least >= 1 && least <= uptime && uptime <= most, "\(name): \(least)...\(most), is \(uptime)")
            }
            #expect(box.end() == .ok)
        }
    }
}
