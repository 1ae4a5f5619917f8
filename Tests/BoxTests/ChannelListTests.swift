// SPDX-License-Identifier: Apache-2.0
import Announcements
import ControlClient
import Foundation
import JSON
import Network
import TestSupport
import Testing
import Venue

@testable import Box

extension BoxTests {
    /// What a whole box tells of its lists of channels while the line-up changes.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct ChannelListTests {
        private func channel(_ name: String, kind: String, port: Int64) -> JSONValue {
            ["name": .string(name), "kind": .string(kind), "address": "239.255.77.38", "port": .integer(port)]
        }

        private func lists(_ kind: String, _ events: JSONValue) -> [JSONValue] {
            (events["events"]?.array ?? []).filter { $0["type"]?.string == "channels." + kind }
                .compactMap { $0["payload"] }
        }

        private func names(_ list: JSONValue) -> [String] {
            (list["channels"]?.array ?? []).compactMap { $0["name"]?.string }
        }

        /// SVM-32, 35: data channels as video channels: the whole list, and what was added, changed and removed. Each
        /// kind has a list and an event of its own.
        @Test func eachKindHasItsList() throws {
            let scores = channel("Scores", kind: "data", port: 21_357)
            let cues = channel("Cues", kind: "data", port: 21_359)
            let one = channel("One", kind: "video", port: 21_361)
            let box = try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []], "channels": [scores],
                "output": ["width": 320, "height": 180], "log": ["level": "error"],
            ])
            var events = try box.await("events") { lists("data", $0).count == 1 }
            let first = try #require(lists("data", events).first)
            #expect(first["added"] == ["settings:Scores"] && first["changed"] == [] && first["removed"] == [])
            #expect(names(first) == ["Scores"] && lists("video", events).isEmpty)

            #expect(try box.merge(["channels": [scores, cues, one]])["errorString"] == nil)
            events = try box.await("events") { lists("data", $0).count == 2 && lists("video", $0).count == 1 }
            let second = try #require(lists("data", events).last)
            #expect(second["added"] == ["settings:Cues"] && names(second) == ["Scores", "Cues"])
            #expect(lists("video", events).first?["added"] == ["settings:One"])

            let elsewhere = channel("Scores", kind: "data", port: 21_363)
            #expect(try box.merge(["channels": [elsewhere, cues, one]])["errorString"] == nil)
            events = try box.await("events") { lists("data", $0).count == 3 }
            let third = try #require(lists("data", events).last)
            #expect(third["changed"] == ["settings:Scores"] && third["added"] == [] && third["removed"] == [])
            #expect(third.at("/channels/0/port") == 21_363)

            #expect(try box.merge(["channels": [cues]])["errorString"] == nil)
            events = try box.await("events") { lists("data", $0).count == 4 && lists("video", $0).count == 2 }
            let last = try #require(lists("data", events).last)
            #expect(last["removed"] == ["settings:Scores"] && names(last) == ["Cues"])
            #expect(lists("video", events).last?["removed"] == ["settings:One"])
            #expect(lists("video", events).last?["channels"] == [])
            // The list that can be asked for is the one that was told last.
            #expect(names(try box.answer("channels", "--kind", "data")) == ["Cues"])
            #expect(try box.answer("channels", "--kind", "file")["channels"] == [])
            #expect(box.end() == .ok)
        }

        // MARK: Announced channels

        private static func box(hearing port: UInt16) throws -> RunningBox {
            let group: JSONValue = ["address": "239.255.77.1", "port": .integer(Int64(port))]
            let box = try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": [group]],
                "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
                "output": ["width": 320, "height": 180], "log": ["level": "error"],
            ])
            _ = try box.await("status") { $0["boxId"] != nil }
            return box
        }

        /// Of one head-end. No two of its texts and numbers are alike, so that none can be told instead of another.
        private static func announcement(_ name: String, _ kind: Channel.Kind, session: Int64) -> Announcement {
            Announcement(
                streamer: .init("head-7"), streamerName: "North stand", sessionNumber: session,
                sessionTitle: "Match day",
                license: FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us"), kind: kind,
                name: name, text: "About \(name)",
                transport: Transport(address: "239.255.77.38", port: UInt16(21_360 + session), encapsulation: .raw))
        }

        private static func send(
            _ announcement: Announcement, _ kind: SAPPacket.Kind = .announcement, to port: UInt16
        ) throws {
            let socket = try DatagramSocket(sendingTo: "239.255.77.1", port: port, interface: "lo")
            let origin = try #require(NumericAddress("127.0.0.1"))
            let packet = SAPPacket.encoded(
                kind, origin: origin, payloadType: .announcement, payload: announcement.encoded)
            try packet.withUnsafeBytes { try socket.send($0) }
        }

        /// SVM-33, 36: a file channel is announced, listed and withdrawn. SVM-26, 40, 41: the answers have each text
        /// and number of the announcement in its place.
        @Test func whatIsAnnouncedIsTold() throws {
            let port: UInt16 = 21_365
            let box = try Self.box(hearing: port)
            let menus = Self.announcement("Menus", .file, session: 7)
            let pitch = Self.announcement("Pitch", .video, session: 9)
            try Self.send(menus, to: port)
            try Self.send(pitch, to: port)
            _ = try box.await("channels") { $0["channels"]?.array?.count == 2 }
            let files = try box.answer("channels", "--kind", "file")
            #expect(names(files) == ["Menus"])
            let file = files.at("/channels/0") ?? .null
            #expect(file["kind"] == "file" && file["id"] == "head-7/7" && file["port"] == 21_367)
            #expect(file["channelText"] == "About Menus" && file["sessionTitle"] == "Match day")
            #expect(file["venueName"] == "Arena")
            #expect(file["contentOwner"] == "Club")
            #expect(file["appDeveloper"] == "Us")
            #expect(file["sessionNum"] == 7 && file["streamer"] == "head-7" && file["origin"] == "announcement")

            var events = try box.await("events") { lists("file", $0).count == 1 && lists("video", $0).count == 1 }
            let told = try #require(lists("file", events).first)
            #expect(told["added"] == ["head-7/7"] && told["changed"] == [] && told["removed"] == [])
            #expect(names(told) == ["Menus"] && told.at("/channels/0/channelText") == "About Menus")

            // The ages differ once the head-end has announced again.
            _ = try box.await("streamers") { answer in
                answer.at("/streamers/0/sinceLastHeardMs")?.integer ?? 0 > 300
            }
            try Self.send(menus, to: port)
            let heard = try box.await("streamers") { answer in
                let last = answer.at("/streamers/0/sinceLastHeardMs")?.integer ?? .max
                let first = answer.at("/streamers/0/sinceFirstHeardMs")?.integer ?? 0
                return last >= 0 && first - last >= 200
            }
            let streamer = heard.at("/streamers/0") ?? .null
            #expect(streamer["name"] == "North stand" && streamer["id"] == "head-7")
            #expect(streamer["address"] == "127.0.0.1" && streamer["version"] == 1)
            #expect(streamer["channelCount"] == 2 && streamer["isAllowed"] == true)

            try Self.send(menus, .deletion, to: port)
            events = try box.await("events") { lists("file", $0).count == 2 }
            let last = try #require(lists("file", events).last)
            #expect(last["removed"] == ["head-7/7"] && last["added"] == [] && last["channels"] == [])
            #expect(lists("video", events).count == 1, "the other list is as it was")
            #expect(try box.answer("channels", "--kind", "file")["channels"] == [])
            #expect(try box.answer("streamers").at("/streamers/0/channelCount") == 1)
            #expect(box.end() == .ok)
        }

        /// proc(5): each line of the table ends with the path that a socket is bound to.
        private static func sockets(at path: String) throws -> Int {
            try String(contentsOfFile: "/proc/net/unix", encoding: .utf8).split(separator: "\n").count {
                $0.hasSuffix(" " + path)
            }
        }

        /// The next event of the list of video channels.
        private static func nextList(_ client: inout ControlClient) throws -> JSONValue {
            while case .event(let event) = try client.next() {
                if event["type"] == "channels.video" { return event["payload"] ?? .null }
            }
            return .null
        }

        /// The list of video channels of what a late subscriber learns first.
        private func snapshot(_ client: inout ControlClient, _ box: RunningBox) throws -> JSONValue {
            let events = try LateSubscriberTests.snapshot(&client, box)
            let told = events.filter { $0["type"] == "channels.video" }.compactMap { $0["payload"] }
            #expect(told.count == 1)
            return told.first ?? .null
        }

        /// SVM-30: whoever comes late learns the list at once, and then its changes; so do several, until they go.
        @Test func lateSubscribersLearnTheList() throws {
            let port: UInt16 = 21_371
            let box = try Self.box(hearing: port)
            let pitch = Self.announcement("Pitch", .video, session: 12)
            let bench = Self.announcement("Bench", .video, session: 13)
            for announcement in [pitch, bench] {
                try Self.send(announcement, to: port)
                _ = try box.await("events") { events in
                    lists("video", events).last.map { names($0).contains(announcement.name) } ?? false
                }
            }
            var stays = try LateSubscriberTests.follower(box)
            let known = try snapshot(&stays, box)
            #expect(names(known).sorted() == ["Bench", "Pitch"])
            do {
                var goes = try LateSubscriberTests.follower(box)
                let alsoKnown = try snapshot(&goes, box)
                #expect(alsoKnown == known)
                try Self.send(bench, .deletion, to: port)
                let told = try Self.nextList(&stays)
                #expect(told["removed"] == ["head-7/13"] && names(told) == ["Pitch"])
                let both = try Self.sockets(at: box.socket)
                #expect(both >= 3, "the one that listens, and the box's ends of two")
                let alsoTold = try Self.nextList(&goes)
                #expect(alsoTold == told)
            }
            var left = try Self.sockets(at: box.socket)
            let pause = EventPause()
            for _ in 0..<200 where left > 2 {
                pause.wait()
                left = try Self.sockets(at: box.socket)
            }
            #expect(left == 2)
            var late = try LateSubscriberTests.follower(box)
            let isNow = try snapshot(&late, box)
            #expect(names(isNow) == ["Pitch"], "the list as it is now")
            try Self.send(pitch, .deletion, to: port)
            let empty = try Self.nextList(&stays)
            #expect(empty["removed"] == ["head-7/12"] && empty["channels"] == [])
            #expect(box.end() == .ok)
        }
    }
}
