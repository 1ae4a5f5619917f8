// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import System
import TestSupport
import Testing
import Time

@testable import Box

/// Settings by signed orders in a whole box (SVM-19): keys of openssl, orders signed by the client and by openssl.
@Suite(.serialized, .enabled(if: OpenSSLPeer.isThere)) struct SignedOrderTests {
    private static let type = "application/vnd.touchline.order+json"

    /// The keys of a venue, as files beside the box.
    private struct Keys {
        /// Signs for all boxes.
        let venue: (private: String, public: String)
        /// Signs for the group lobby alone.
        let lobby: (private: String, public: String)
        /// Is unknown to the box.
        let stranger: (private: String, public: String)

        init() throws {
            venue = try OpenSSLPeer.makeKeys()
            lobby = try OpenSSLPeer.makeKeys()
            stranger = try OpenSSLPeer.makeKeys()
        }

        private static func setting(_ id: String, _ key: String, _ targets: JSONValue) -> JSONValue {
            let line = key.split(separator: "\n").dropFirst().first.map { String($0) } ?? ""
            return ["id": .string(id), "publicKey": .string(line), "targets": targets]
        }

        var settings: JSONValue {
            [
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "box": ["tags": ["vip"]],
                "push": [
                    "keys": [
                        Self.setting("venue", venue.public, ["all"]),
                        Self.setting("lobby", lobby.public, ["group:lobby"]),
                    ], "group": "bar",
                ],
            ]
        }
    }

    private struct Scene {
        let keys: Keys
        var box: RunningBox

        init() throws {
            keys = try Keys()
            box = try RunningBox(keys.settings) { $0.clock.isSynchronised = { true } }
        }

        mutating func restart(clearingSettings: Bool) throws {
            #expect(box.end(isKept: true) == .ok)
            if clearingSettings {
                try FileManager.default.removeItem(atPath: box.directory + "/state/settings")
            }
            box = try RunningBox(restarting: box) { $0.clock.isSynchronised = { true } }
            _ = try box.await("push-status") { $0["highest"] != nil }
        }

        /// The envelope that the client makes.
        func signed(
            _ revision: Int64, by key: String? = nil, id: String = "venue", for target: [String] = ["--all"],
            expires: String = "2200-01-01T00:00:00Z", volume: Int64 = 60, _ more: [String] = []
        ) throws -> JSONValue {
            let (pem, settings) = (box.directory + "/key.pem", box.directory + "/patch.json")
            try DurableFile.write(Array((key ?? keys.venue.private).utf8), to: pem)
            try DurableFile.write(Array(#"{"sound":{"volume":\#(volume)}}"#.utf8), to: settings)
            return try box.answer(
                [
                    "config", "sign", "--key", pem, "--key-id", id, "--revision", "\(revision)", "--expires", expires,
                ] + target + more + [settings])
        }

        func push(_ envelope: JSONValue) throws -> JSONValue {
            let file = box.directory + "/envelope.json"
            try DurableFile.write(envelope.octets(), to: file)
            let deadline = SystemClock.monotonic() + .seconds(10)
            let pause = EventPause()
            while true {
                let answer = try box.answer("config", "push", file)
                // A box that is just saving the time takes no order and asks for it again.
                guard answer["errorString"]?.string?.contains("send this one again") == true,
                    SystemClock.monotonic() < deadline
                else { return answer }
                pause.wait()
            }
        }

        func volume() throws -> JSONValue? { try box.answer("config", "sound.volume")["config"] }

        /// Gives the box an envelope, which it refuses for this reason: one line says so, one counter, one event, and
        /// nothing else is different.
        func expectRefusal(_ reason: String, of envelope: JSONValue) throws {
            func count() throws -> Int64 {
                try box.answer("stats").at("/stats/push/refused/\(reason)")?.integer ?? -1
            }
            func told() throws -> Int {
                let events = try box.answer("events")["events"]?.array ?? []
                return events.filter {
                    $0["type"] == "service.orderRefused" && $0["payload"]?["reason"]?.string == reason
                }.count
            }
            let before = (try box.answer("config"), try count(), try told())
            let line = try push(envelope)["errorString"]?.string ?? "it is taken"
            #expect(line.contains("order refused (\(reason)): ") && !line.contains("\n"), "\(reason): \(line)")
            #expect(try box.answer("config") == before.0, "\(reason)")
            #expect(try count() == before.1 + 1, "\(reason)")
            #expect(try told() == before.2 + 1, "\(reason)")
        }
    }

    private static func octets(_ envelope: JSONValue) throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: envelope["payload"]?.string ?? "")))
    }

    /// The envelope with another payload under the same signatures.
    private static func tampered(_ envelope: JSONValue) throws -> JSONValue {
        let text = String(decoding: try octets(envelope), as: UTF8.self)
        let changed = text.replacingOccurrences(of: #""volume":60"#, with: #""volume":99"#)
        #expect(changed != text)
        return envelope.merging(patch: ["payload": .string(Data(changed.utf8).base64EncodedString())])
    }

    @Test func whatIsNotGenuineOrNotForNowIsRefused() throws {
        var scene = try Scene()
        _ = try scene.box.await("push-status") { $0["highest"] != nil }
        let first = try scene.signed(10)
        try scene.expectRefusal("wrongSignature", of: try Self.tampered(first))
        #expect(try scene.push(first)["order"] == 10)
        #expect(try scene.volume() == 60)

        try scene.expectRefusal("replayed", of: first)
        try scene.expectRefusal("replayed", of: try scene.signed(9, volume: 1))
        try scene.expectRefusal("jump", of: try scene.signed(10 + (1 << 32) + 1, volume: 2))
        try scene.expectRefusal(
            "early", of: try scene.signed(11, volume: 3, ["--not-before", "2199-01-01T00:00:00Z"]))
        try scene.expectRefusal("expired", of: try scene.signed(11, expires: "2020-01-01T00:00:00Z", volume: 4))
        for target in [["--group", "lobby"], ["--tag", "north"], ["--box", "another"]] {
            try scene.expectRefusal("otherTarget", of: try scene.signed(11, for: target, volume: 5))
        }
        let (lobby, stranger) = (scene.keys.lobby.private, scene.keys.stranger.private)
        try scene.expectRefusal("unknownKey", of: try scene.signed(11, by: stranger, id: "stranger", volume: 6))
        try scene.expectRefusal("wrongSignature", of: try scene.signed(11, by: stranger, volume: 7))
        try scene.expectRefusal("keyWithoutTarget", of: try scene.signed(11, by: lobby, id: "lobby", volume: 8))
        try scene.expectRefusal("malformed", of: ["payload": "", "signatures": []])
        try scene.expectRefusal("otherBase", of: try scene.signed(11, volume: 9, ["--base", "9"]))
        // The last one was genuine: it is had.
        try scene.expectRefusal("replayed", of: try scene.signed(11, volume: 9))
        #expect(try scene.box.answer("push-status")["highest"] == 11)

        try scene.restart(clearingSettings: false)
        #expect(try scene.volume() == 60)
        try scene.expectRefusal("replayed", of: first)
        try scene.restart(clearingSettings: true)
        #expect(try scene.volume() == 100, "as after a factory reset")
        try scene.expectRefusal("replayed", of: first)
        #expect(try scene.push(try scene.signed(12, for: ["--tag", "vip"], volume: 70))["order"] == 12)
        #expect(try scene.volume() == 70)
        #expect(scene.box.end() == .ok)
    }

    /// What openssl signs over the octets that DSSE names is taken, in its own spelling of JSON.
    @Test func openSSLSignsOrders() throws {
        let scene = try Scene()
        _ = try scene.box.await("push-status") { $0["highest"] != nil }
        let payload = """
            { "order": 1,  "target": {"group": "bar"}, "revision": 3,
              "expires": "2200-01-01T01:00:00+01:00", "settings": {"replace": {"sound": {"volume": 20}}} }
            """
        let signed = "DSSEv1 \(Self.type.utf8.count) \(Self.type) \(payload.utf8.count) \(payload)"
        let signature = try OpenSSLPeer.signature(of: Array(signed.utf8), key: scene.keys.venue.private)
        let envelope: JSONValue = [
            "payload": .string(Data(payload.utf8).base64EncodedString()), "payloadType": .string(Self.type),
            "signatures": [["keyid": "venue", "sig": .string(Data(signature).base64EncodedString())]],
        ]
        #expect(try scene.push(envelope)["order"] == 3)
        #expect(try scene.volume() == 20)
        // The replacement has no keys: it was the last order that this box takes.
        try scene.expectRefusal("unknownKey", of: try scene.signed(4))
        PeerLog.add("openssl", test: "SignedOrderTests/openSSLSignsOrders", checks: 1)
        #expect(scene.box.end() == .ok)
    }

    /// By HTTP as well, whose role is none that may change settings.
    @Test func theSignatureIsTheRight() throws {
        let keys = try Keys()
        let settings = keys.settings.merging(patch: ["http": ["role": "viewer"]])
        let box = try RunningBox(settings) { $0.clock.isSynchronised = { true } }
        _ = try box.await("push-status") { $0["highest"] != nil }
        let (pem, patch) = (box.directory + "/key.pem", box.directory + "/patch.json")
        try DurableFile.write(Array(keys.venue.private.utf8), to: pem)
        try DurableFile.write(Array(#"{"http":{"role":"operator"},"box":{"name":"A"}}"#.utf8), to: patch)
        let envelope = try box.answer([
            "config", "sign", "--key", pem, "--key-id", "venue", "--revision", "1", "--expires", "2200-01-01T00:00:00Z",
            "--all", patch,
        ])
        // A box that has just started may be busy writing down how far its orders are.
        var (code, answer) = (503, JSONValue.null)
        let deadline = SystemClock.monotonic() + .seconds(20)
        while code == 503, SystemClock.monotonic() < deadline {
            (code, answer) = try box.http("POST", "/v1/push", ["envelope": envelope])
        }
        #expect(code == 200 && answer["paths"] == ["/box/name", "/http/role"], "\(answer)")
        #expect(try box.http("POST", "/v1/push", ["envelope": envelope]).code == 409)
        #expect(try box.http("GET", "/v1/push").code == 405, "what changes something is no GET")
        #expect(box.end() == .ok)
    }

    /// The client alone, without a box.
    @Test func theClientChecksWhatItSigns() throws {
        let scene = try Scene()
        let envelope = try scene.signed(5, ["--comment", "louder", "--confirm-within", "60"])
        let (file, key) = (scene.box.directory + "/envelope.json", scene.box.directory + "/public.pem")
        try DurableFile.write(envelope.octets(), to: file)
        try DurableFile.write(Array(scene.keys.venue.public.utf8), to: key)
        let order = try scene.box.answer("config", "verify", "--public", key, file)
        #expect(order["revision"] == 5 && order["comment"] == "louder" && order["confirmWithinS"] == 60)
        try DurableFile.write(try Self.tampered(envelope).octets(), to: file)
        #expect(
            try scene.box.answer("config", "verify", "--public", key, file)["errorString"]?.string?
                .contains("no signature of the envelope is of the key") == true)
        for (words, problem) in [
            (
                ["--key", key, "--key-id", "a", "--revision", "1", "--expires", "2200-01-01T00:00:00Z", "--all"],
                "PRIVATE"
            ),
            (["--key", "/nowhere", "--key-id", "a"], "there is no such file"),
            (["--key-id", "a"], "--key is missing"),
        ] {
            let told = try scene.box.answer(["config", "sign"] + words + [file])["errorString"]?.string ?? ""
            #expect(told.contains(problem), "\(told)")
        }
        let two = try scene.signed(5, for: ["--all", "--tag", "vip"])["errorString"]?.string
        #expect(two?.contains("there is one target") == true)
        _ = try scene.box.await("push-status") { $0["highest"] != nil }
        #expect(scene.box.end() == .ok)
    }
}
