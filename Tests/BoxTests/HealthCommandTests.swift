// SPDX-License-Identifier: Apache-2.0
import Announcements
import JSON
import Network
import TestSupport
import Testing
import Time
import Venue

@testable import Box

@Suite(.serialized) struct HealthCommandTests {
    private static let license = FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us")

    private static func settings(port: Int64, _ health: JSONValue, interface: JSONValue = "lo") -> JSONValue {
        [
            "network": ["interface": interface], "health": health,
            "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
            "announcements": ["groups": [["address": "239.255.78.1", "port": .integer(port)]]],
            "output": ["width": 320, "height": 180], "log": ["level": "error"],
        ]
    }

    private static func payloads(_ type: String, _ events: JSONValue) -> [JSONValue] {
        (events["events"]?.array ?? []).filter { $0["type"]?.string == type }.compactMap { $0["payload"] }
    }

    /// SVM-89…91, 94: told once each, and asked for.
    @Test func anEmptyLineUpIsAReason() throws {
        let box = try RunningBox(
            Self.settings(port: 21_201, ["firstListenMs": 0, "noChannels": ["raiseMs": 0]]))
        let down: JSONValue = ["state": "down", "reasons": 4, "reasonNames": ["NoChannels"]]
        let service = try box.await("service") { $0["state"]?.string == "down" }
        #expect(service["reasons"] == 4 && service["reasonNames"] == ["NoChannels"])
        #expect(service["isConnectedToVenue"] == false)
        #expect(service["uplinks"] == [["name": "lo", "kind": "wired", "isUp": true]])
        #expect(service["since"]?.string?.hasSuffix("Z") == true && (service["sinceMs"]?.integer ?? -1) >= 0)
        #expect(try box.answer("status")["serviceReason"] == "NoChannels")
        let events = try box.answer("events")
        #expect(Self.payloads("service.state", events) == [down])
        #expect(Self.payloads("venue.connection", events) == [["isConnectedToVenue": false]])
        #expect(box.end() == .ok)
    }

    /// An interface that is not there is one that is down (SVM-93).
    @Test func anInterfaceThatIsGone() throws {
        let box = try RunningBox(
            Self.settings(port: 21_202, ["wifiDown": ["raiseMs": 0]], interface: "wlgone7"))
        let service = try box.await("service") { $0["state"]?.string == "down" }
        #expect(service["reasonNames"] == ["WiFiDown"])
        #expect(service["uplinks"] == [["name": "wlgone7", "kind": "wifi", "isUp": false]])
        #expect(box.end() == .ok)
    }

    /// G-06, SVM-100: by the reference's names; of nothing that plays those of the box.
    @Test func statisticsOfTheReference() throws {
        var settings = Self.settings(port: 21_203, [:])
        settings["channels"] = [["name": "One", "address": "239.255.78.9", "port": 21_210]]
        let box = try RunningBox(settings)
        let idle = try box.await("stats", "--session") { $0["stats"] != nil }["stats"]?.object ?? [:]
        #expect(idle["announcementsReceived"] == 0 && idle["statsUploadAttempts"] == 0)
        #expect(idle["session_uptime"] == nil && idle["reception"] == nil)
        if Groups.canBeJoined {
            _ = try box.answer("tune", "One")
            let stats = try box.answer("stats", "--session")["stats"]?.object ?? [:]
            #expect(Set(stats.keys) == Set(SessionStatistic.allCases.map(\.rawValue)))
            #expect(stats["session_link_indicator"] == .null && stats["protection_windows"] == 0)
            #expect(stats["announcement_session_title"] == "")
            let all = try box.answer("stats")["stats"]?.object ?? [:]
            #expect(Set(stats.keys).isSubset(of: all.keys) && all["lineUp"] != nil)
        }
        #expect(box.end() == .ok)
    }

    /// SVM-99: outside nothing is tuned; inside what waits for it is.
    @Test(.enabled(if: Groups.canBeJoined)) func theLock() throws {
        var settings = Self.settings(port: 21_204, ["venue": ["locksOutside": true, "leaveMs": 0]])
        settings["channels"] = [["name": "One", "address": "239.255.78.9", "port": 21_211]]
        settings["playback"] = ["autoTune": "One"]
        let box = try RunningBox(settings)
        _ = try box.await("service") { $0["isConnectedToVenue"] == .null }
        #expect(try box.answer("tune", "One")["errorString"]?.string?.contains("venue 'Arena' is not heard") == true)
        let socket = try DatagramSocket(sendingTo: "239.255.78.1", port: 21_204, interface: "lo")
        let origin = try #require(NumericAddress("127.0.0.1"))
        let announcement = Announcement(
            streamer: .init("head"), sessionNumber: 5, sessionTitle: "Match day", license: Self.license, name: "Pitch",
            transport: Transport(address: "239.1.2.3", port: 5_004, encapsulation: .raw))
        func send(_ kind: SAPPacket.Kind) throws {
            let packet = SAPPacket.encoded(
                kind, origin: origin, payloadType: .announcement, payload: announcement.encoded)
            try packet.withUnsafeBytes { try socket.send($0) }
        }
        try send(.announcement)
        _ = try box.await("service") { $0["isConnectedToVenue"] == true }
        _ = try box.await("status") { $0["channel"] == "One" }
        try send(.deletion)
        _ = try box.await("service") { $0["isConnectedToVenue"] == false }
        #expect(try box.answer("status")["channel"] == .null)
        let events = try box.answer("events")
        #expect(
            Self.payloads("venue.connection", events) == [["isConnectedToVenue": true], ["isConnectedToVenue": false]])
        #expect(box.end() == .ok)
    }
}
