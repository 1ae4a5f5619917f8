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
    /// A head-end that changes what it announces as often as it can.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct AnnouncementFloodTests {
        private static let (group, port) = ("239.255.77.1", UInt16(21_291))

        private static func packet(_ number: Int64, _ name: String) -> [UInt8] {
            let license = FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us")
            let announcement = Announcement(
                streamer: .init("flood"), sessionNumber: number, license: license, name: name,
                transport: Transport(address: "239.255.77.2", port: 21_292, encapsulation: .raw))
            return SAPPacket.encoded(
                origin: NumericAddress(v4: 0x7f00_0001), payloadType: .announcement, payload: announcement.encoded)
        }

        /// What is too much is left unread and counted, and the sender is told with the reason; the line-up has its
        /// channels, and commands are answered all the while.
        @Test func commandsAreAnsweredMeanwhile() throws {
            let box = try RunningBox([
                "network": ["interface": "lo"],
                "announcements": ["groups": [["address": .string(Self.group), "port": .integer(Int64(Self.port))]]],
                "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
                "channels": [
                    ["name": "One", "address": "239.255.77.3", "port": 21_293],
                    ["name": "Two", "address": "239.255.77.4", "port": 21_293],
                ],
                "output": ["kind": "null"], "sound": ["kind": "null"], "log": ["level": "error"],
            ])
            _ = try box.await("status") { $0["boxId"] != nil }
            let stopping = StopFlag()
            let socket = try DatagramSocket(sendingTo: Self.group, port: Self.port, interface: "lo")
            let flood = try DedicatedThread("flood") {
                let packets = (0..<2).map { round in
                    (1...20).map { Self.packet($0, "Channel \($0), version \(round)") }
                }
                var number = 0
                while !stopping.isRaised {
                    // A datagram that the kernel refuses is one less.
                    packets[number / 20 % 2][number % 20].withUnsafeBytes { try? socket.send($0) }
                    number += 1
                }
            }
            defer {
                stopping.raise()
                flood.join()
            }
            _ = try box.await("stats", within: .seconds(30)) {
                $0.at("/stats/lineUp/announcementsOverRate")?.integer ?? 0 > 1_000
            }
            for number in 0..<20 {
                let name: JSONValue = number % 2 == 0 ? "One" : "Two"
                #expect(try box.answer("tune", number % 2 == 0 ? "One" : "Two")["channel"] == name)
            }
            let streamer = try box.answer("streamers").at("/streamers/0")
            let fault = streamer?["lastFault"]?.string ?? ""
            #expect(fault.hasPrefix("more new or changed announcements than the 200 a second"), "\(fault)")
            #expect(streamer?["channelCount"] == 20)
            stopping.raise()
            // All is heard again when the flood is over: the last of each session's announcements is what is listed.
            _ = try box.await("channels", within: .seconds(30)) { answer in
                for number in 1...20 as ClosedRange<Int64> {
                    Self.packet(number, "Channel \(number), last").withUnsafeBytes { try? socket.send($0) }
                }
                let names = answer["channels"]?.array?.compactMap { $0["name"]?.string } ?? []
                return names.count { $0.hasSuffix(", last") } == 20
            }
            let stats = try box.answer("stats")
            func counter(_ name: String) -> Int64 { stats.at("/stats/lineUp/\(name)")?.integer ?? -1 }
            #expect(counter("channelsAdded") == 20 && counter("announcementsMalformed") == 0)
            #expect(counter("announcementsReceived") >= counter("announcementsOverRate"))
            let events = box.client("events").output.split(separator: "\n")
            let (changed, lists) = (
                events.count { $0.contains(" channels.changed ") }, events.count { $0.contains(" channels.video ") }
            )
            #expect(lists > 0 && lists * 5 < changed, "\(lists) lists, \(changed) changes")
            #expect(box.end() == .ok)
        }
    }
}
