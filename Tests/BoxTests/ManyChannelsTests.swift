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
    /// 200 announced channels, all of one group that one sender feeds: each list has them, and each way tunes them
    /// (SVM-42). How long that takes, `board/bench channels` measures.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct ManyChannelsTests {
        private static let count = 200
        private static let (group, port) = ("239.255.77.1", UInt16(21_295))
        private static let mediaPort = UInt16(21_297)

        private static func name(_ number: Int) -> String { "Channel \(number)" }

        private static func packet(_ number: Int) -> [UInt8] {
            let license = FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us")
            let announcement = Announcement(
                streamer: .init("many"), sessionNumber: Int64(number), license: license, name: name(number),
                transport: Transport(address: LoopbackChannel.group, port: mediaPort, encapsulation: .raw))
            var packet = SAPPacket.encoded(
                origin: NumericAddress(v4: 0x7f00_0001), payloadType: .announcement, payload: announcement.encoded)
            // Two of 200 computed hashes may be equal, by which one session would take the other's place.
            (packet[2], packet[3]) = (UInt8(number >> 8), UInt8(number & 0xff))
            return packet
        }

        private static func box() throws -> RunningBox {
            try RunningBox([
                "network": ["interface": "lo"],
                "announcements": ["groups": [["address": .string(group), "port": .integer(Int64(port))]]],
                "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
                "output": ["width": 320, "height": 180], "sound": ["kind": "null"], "log": ["level": "error"],
                "screenText": ["bannerMs": 0], "channelList": ["closeMs": 300_000, "digitMs": 10_000],
                "playback": ["playoutDelayMs": 300],
            ])
        }

        /// Announces what is not listed yet until all is.
        private static func announce(to box: RunningBox) throws -> [JSONValue] {
            let socket = try DatagramSocket(sendingTo: group, port: port, interface: "lo")
            let answer = try box.await("channels", within: .seconds(60)) { answer in
                let listed = Set(answer["channels"]?.array?.compactMap { $0["name"]?.string } ?? [])
                for number in 1...count where !listed.contains(name(number)) {
                    // What the kernel drops is sent again.
                    packet(number).withUnsafeBytes { try? socket.send($0) }
                }
                return listed.count == count
            }
            return answer["channels"]?.array ?? []
        }

        /// Pixels of the accent's colour at the lower end of the list.
        private static func accents(_ box: RunningBox) throws -> Int {
            try ScreenLook(box).text(in: .banner).count { pixel in
                (82...102).contains(pixel.red) && (163...183).contains(pixel.green) && pixel.blue > 244
            }
        }

        @Test func allAreListedAndTuned() throws {
            let media = try LiveSessionTests.channel(port: Self.mediaPort)
            defer { media.stop() }
            let box = try Self.box()
            _ = try box.await("status") { $0["boxId"] != nil }
            let listed = try Self.announce(to: box)
            let numbers = (1...Self.count).map { Int64($0) }
            let names = (1...Self.count).map { Self.name($0) }
            #expect(listed.compactMap { $0["number"]?.integer } == numbers)
            #expect(listed.compactMap { $0["name"]?.string } == names)
            #expect(box.client("channels", "--names").output.split(separator: "\n").map(String.init) == names)
            let http = try box.http("GET", "/v1/channels")
            let rows = http.body["channels"]?.array ?? []
            #expect(http.code == 200 && rows.compactMap { $0["name"]?.string } == names)
            let stats = try box.answer("stats")
            #expect(stats.at("/stats/lineUp/channelsAdded") == 200)
            #expect(stats.at("/stats/lineUp/announcementsOverflowing") == 0)
            #expect(stats.at("/stats/lineUp/announcementsConflicting") == 0)
            try Self.lookAtTheList(of: box)
            try Self.tune(box)
            #expect(box.end() == .ok)
        }

        /// The list on the screen has all of them, and what is selected is drawn.
        private static func lookAtTheList(of box: RunningBox) throws {
            let bare = try accents(box)
            let shown = try box.answer("list", "show")
            #expect(shown["isOpen"] == true && shown["count"] == 200 && shown["place"] == 1)
            let last = try box.answer("list", "last")
            #expect(last["place"] == 200 && last["number"] == 200 && last["channel"] == "Channel 200")
            // The last row is as wide as the list, 120 pixels, and 9 high.
            _ = try box.await("status") { _ in
                ((try? accents(box)) ?? 0) > bare + 500  // a screenshot that fails is taken again
            }
            let stats = try box.answer("stats")
            #expect(stats.at("/stats/screenText/drawErrors") == 0)
            #expect(stats.at("/stats/screenText/typesettingUs")?.integer ?? 0 > 0)
            #expect(try box.answer("list", "page-up")["channel"] == "Channel 190")
            #expect(try box.answer("list", "hide")["isOpen"] == false)
            _ = try box.await("status") { _ in ((try? accents(box)) ?? .max) < bare + 100 }
        }

        /// By number, digit by digit; by name; from the list.
        private static func tune(_ box: RunningBox) throws {
            #expect(try box.answer("digit", "1")["isTuned"] == false)
            #expect(try box.answer("digit", "7")["channel"] == "Channel 17")
            let typed = try box.answer("digit", "7")
            #expect(typed["isTuned"] == true && typed["channel"] == "Channel 177")
            #expect(try box.answer("status")["channel"] == "Channel 177")
            #expect(try box.answer("tune", "Channel 42")["channel"] == "Channel 42")
            let opened = try box.answer("list", "show")
            #expect(opened["place"] == 42 && opened["channel"] == "Channel 42")
            #expect(try box.answer("list", "down")["channel"] == "Channel 43")
            #expect(try box.answer("list", "tune")["channel"] == "Channel 43")
            #expect(try box.answer("status")["channel"] == "Channel 43")
            // It is the one that is sent: it plays.
            _ = try box.await("stats", within: .seconds(30)) {
                $0.at("/stats/playback/framesDecoded")?.integer ?? 0 > 10
            }
        }
    }
}
