// SPDX-License-Identifier: Apache-2.0
import Announcements
import Buffers
import Foundation
import JSON
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Box

extension BoxTests {
    /// A whole box that hears two head-ends of one session, each at an address of its own.
    @Suite(.serialized, .enabled(if: OwnNetwork.canBeMade && Groups.canBeJoined)) struct RedundantHeadEndTests {
        private static let group = "239.255.77.56"
        private static let announcements = "239.255.77.57"

        /// Sends three seconds of H.264 and AAC, again and again, and announces them each second.
        private final class HeadEnd {
            private let stopping = StopFlag()
            private let thread: DedicatedThread

            init(_ address: String) throws {
                let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                    .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL
                let stream = [UInt8](try Data(contentsOf: file))
                let license = FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us")
                let announcement = Announcement(
                    streamer: .init("head"), sessionNumber: 5, license: license, name: "Pitch",
                    transport: Transport(address: group, port: 21_287, source: address, encapsulation: .raw),
                    interval: .seconds(1))
                let packet = SAPPacket.encoded(
                    origin: try #require(NumericAddress(address)), payloadType: .announcement,
                    payload: announcement.encoded)
                let (stopping, step) = (stopping, stream.count / 188 / 75 * 188)
                thread = try DedicatedThread("head-end") {
                    let start = SystemClock.monotonic()
                    var number = 0
                    while !stopping.isRaised {
                        if number % 25 == 0 { Datagrams.send(packet, to: announcements, 21_288, from: address) }
                        let part = Array(stream.dropFirst(number % 75 * step).prefix(step))
                        for place in stride(from: 0, to: part.count, by: 7 * 188) {
                            let datagram = Array(part[place..<min(part.count, place + 7 * 188)])
                            Datagrams.send(datagram, to: group, 21_287, from: address)
                        }
                        number += 1
                        SystemClock.sleep(until: start + .milliseconds(40) * Int64(number))
                    }
                }
            }

            func stop() {
                stopping.raise()
                thread.join()
            }
        }

        /// The sources of the only channel; nil if there are more or none.
        private static func sources(_ channels: JSONValue) -> [String]? {
            guard let all = channels["channels"]?.array, all.count == 1, let first = all[0]["source"]?.string else {
                return nil
            }
            return [first] + (all[0]["furtherSources"]?.array?.compactMap(\.string) ?? [])
        }

        private static func frames(_ stats: JSONValue) -> Int64 {
            stats.at("/stats/playback/framesDecoded")?.integer ?? 0
        }

        private static func playsOn(_ box: RunningBox) throws {
            let before = frames(try box.answer("stats"))
            _ = try box.await("stats", within: .seconds(20)) { frames($0) > before + 50 }
        }

        @Test func oneChannelPlaysWhicheverGoes() throws {
            try OwnNetwork.run {
                try #require(
                    OwnNetwork.connect()
                        && OwnNetwork.shell(
                            "ip addr add 10.0.0.3/24 dev venue0", "ip route replace 224.0.0.0/4 dev venue0")
                )
                let box = try RunningBox([
                    "network": ["interface": "box0"],
                    "announcements": [
                        "groups": [["address": .string(Self.announcements), "port": 21_288]], "pruneMinimumMs": 2_000,
                    ],
                    "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
                    "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                    "http": ["isEnabled": false], "playback": ["playoutDelayMs": 300],
                ])
                let (main, other) = ("10.0.0.2", "10.0.0.3")
                let first = try HeadEnd(main)
                _ = try box.await("channels") { Self.sources($0) == [main] }
                let second = try HeadEnd(other)
                _ = try box.await("channels") { Self.sources($0) == [main, other] }
                let row = try box.answer("channels")["channels"]?.array?.first
                #expect(row?["announcedBy"] == [.string(main), .string(other)])
                #expect(try box.answer("streamers")["streamers"]?.array?.count == 2)
                _ = try box.answer("tune", "Pitch")
                try Self.playsOn(box)
                let session = try box.answer("status")["session"]

                first.stop()
                _ = try box.await("channels") { Self.sources($0) == [other] }
                try Self.playsOn(box)
                let third = try HeadEnd(main)
                _ = try box.await("channels") { Self.sources($0) == [other, main] }
                second.stop()
                _ = try box.await("channels") { Self.sources($0) == [main] }
                try Self.playsOn(box)
                third.stop()
                #expect(try box.answer("status")["session"] == session, "all the time one session")
                #expect(try box.answer("stats").at("/stats/reception/sourceChanges") == 2)
                #expect(box.end() == .ok)
            }
        }
    }
}
