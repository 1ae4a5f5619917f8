// SPDX-License-Identifier: Apache-2.0
import Announcements
import JSON
import Network
import TestSupport
import Testing
import Venue

@testable import Box

extension BoxTests {
    /// SVM-08: a technician who asks a subsystem for its debug lines gets some.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct DebugLinesTests {
        private static let (group, announcements, data) = ("239.255.77.34", UInt16(21_331), UInt16(21_332))

        private static func send(_ datagram: [UInt8], to port: UInt16) throws {
            let socket = try DatagramSocket(sendingTo: group, port: port, interface: "lo")
            try datagram.withUnsafeBytes { try socket.send($0) }
        }

        private static let announcement = SAPPacket.encoded(
            origin: NumericAddress(v4: 0x7f00_0001), payloadType: .announcement,
            payload: Announcement(
                streamer: .init("head"), sessionNumber: 5,
                license: FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us"), name: "Announced",
                transport: Transport(address: group, port: 21_333, encapsulation: .raw)
            ).encoded)

        @Test func eachSubsystemHasSome() throws {
            let media = try LiveSessionTests.channel(port: 21_334)
            defer { media.stop() }
            let log = LogLines()
            let settings: JSONValue = [
                "network": ["interface": "lo"],
                "announcements": [
                    "groups": [["address": .string(Self.group), "port": .integer(Int64(Self.announcements))]]
                ],
                "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
                "channels": [
                    ["name": "One", "address": .string(LoopbackChannel.group), "port": 21_334, "encapsulation": "raw"],
                    [
                        "name": "Scores", "kind": "data", "address": .string(Self.group),
                        "port": .integer(Int64(Self.data)), "payloadType": .integer(Int64(DataSender.payloadType)),
                    ],
                ],
                "data": ["consumers": [["channel": "Scores", "kind": "ticker"]]],
                "output": ["width": 320, "height": 180], "sound": ["kind": "null"],
                "playback": ["autoTune": "One", "playoutDelayMs": 300, "historyMs": 1_000], "log": ["level": "debug"],
            ]
            let box = try RunningBox(settings, change: { $0.log = { log.write($0) } })
            _ = try box.await("data") { $0.at("/channels/0/isJoined") == true }
            let refusal = try box.answer("log-level", "nobody", "debug")["errorString"]?.string ?? ""
            let known = refusal.split(separator: ":").last?.split(separator: " ").dropFirst(3).map {
                String($0.filter { $0 != "," })
            }
            let subsystems = try #require(known)
            #expect(Set(subsystems).isSuperset(of: ["playback", "stage", "sound", "service"]), "\(subsystems)")
            #expect(try box.merge(["box": ["name": "Debugged"]])["errorString"] == nil)
            var sender = DataSender(source: 7)
            let message = try sender.packets(of: Array("2:1".utf8), type: "text/plain")
            func missing() -> [String] {
                let lines = log.all
                return subsystems.filter { name in !lines.contains { $0.hasPrefix("<7>\(name): ") } }
            }
            _ = try box.await("stats", within: .seconds(20)) { stats in
                for packet in message { try? Self.send(packet, to: Self.data) }
                try? Self.send(Self.announcement, to: Self.announcements)
                return missing().isEmpty && stats.at("/stats/playback/framesDecoded")?.integer ?? 0 > 10
            }
            #expect(missing().isEmpty, "\(missing()) have none")
            for (group, channel) in [(LoopbackChannel.group, "One"), (Self.group, "Scores")] {
                #expect(log.all.contains("<7>network: group received group=\(group) channel=\(channel)\n"))
            }
            // SVM-25: the group of a channel that is played no more is left with its history.
            _ = try box.answer("stop")
            let left = "<7>network: group no longer received group=\(LoopbackChannel.group) channel=One\n"
            _ = try box.await("status") { _ in log.all.contains(left) }
            _ = try box.answer("tune", "One")
            // Cheap when off: nobody writes any more, whatever happens.
            _ = try box.answer("log-level", "error")
            log.clear()
            _ = try box.answer("tune", "One")
            #expect(!log.all.contains { $0.hasPrefix("<7>") }, "\(log.all)")
            #expect(box.end() == .ok)
        }
    }
}
