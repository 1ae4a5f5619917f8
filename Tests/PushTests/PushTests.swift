// SPDX-License-Identifier: Apache-2.0
import Commands
import Enrolling
import FeatureTesting
import Foundation
import Hosting
import JSON
import Provisioning
import Signing
import Statistics
import System
import Testing
import Time
import Venue

@testable import Push
@testable import SignedEnvelopes

/// SVM-19 by the commands: orders signed with one key, given to the feature alone.
@Suite final class PushTests {
    private static let now = WallTime(rfc3339: "2026-11-21T12:00:00Z") ?? WallTime(nanoseconds: 0)

    private var events: [(name: String, payload: JSONValue)] = []
    private let archive = MemoryArchive()
    private let statistics = StatisticRegistry()
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-push-\(UUID())").path
    private let signing: SigningKey
    private var clock = OrderClock(now: PushTests.now, isSet: true, built: WallTime(nanoseconds: 0))
    private let ring = KeyRing()
    private var loop: EventLoop?
    private var store: SettingsStore?

    init() throws { signing = try SigningKey(seed: [UInt8](repeating: 5, count: 32)) }
    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private var settings: JSONValue {
        [
            "push": [
                "keys": [["id": "bar-1", "publicKey": .string(signing.verifyingKey.base64), "targets": ["all"]]],
                "group": "bar",
            ], "box": ["tags": ["vip"]],
        ]
    }

    private func makeHost(_ document: JSONValue? = nil) throws -> FeatureHost {
        var context = try FeatureContext.testing(
            of: Push.self, settings: document ?? settings, archive: archive, statistics: statistics
        ) { [unowned self] in events.append(($0, $1)) }
        context.provide(try BoxIdentity.load(from: directory))
        context.provide(ring)
        context.provide(BoxCredential())
        var sources = Push.Sources(directory: directory, clock: { [unowned self] in clock })
        sources.monotonic = { Monotonic(nanoseconds: 0) }
        context.provide(sources)
        (loop, store) = (context.loop, context.settings)
        let host = try FeatureHost([Push.self], context)
        host.start()
        return host
    }

    private func envelope(_ revision: Int64, _ patch: JSONValue = [:]) throws -> JSONValue {
        let order: JSONValue = [
            "order": 1, "target": ["group": "bar"], "revision": .integer(revision), "expires": "2026-12-01T00:00:00Z",
            "comment": "louder", "settings": ["merge": ["sound": ["volume": 60]]],
        ]
        let unsigned = SignedEnvelope(
            payloadType: SignedOrder.payloadType, payload: order.merging(patch: patch).octets())
        let signature = SignedEnvelope.Signature(
            keyID: "bar-1", octets: signing.signature(of: unsigned.signedOctets))
        return SignedEnvelope(
            payloadType: unsigned.payloadType, payload: unsigned.payload, signatures: [signature]
        ).json
    }

    /// Runs the loop until the command is answered.
    private func answer(_ host: FeatureHost, _ name: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
        let catalogue = Catalogue(FeatureDeclarations([Push.self]).commands)
        var request = try CommandRequest(command: name, arguments: arguments, in: catalogue)
        request.caller = Caller(.http, role: nil)
        var answered: Result<JSONValue, Status>?
        let loop = try #require(loop)
        #expect(
            host.handle(request) {
                answered = $0
                loop.stop()
            })
        while answered == nil { try loop.run() }
        switch try #require(answered) {
        case .success(let value):
            let kind = try #require(catalogue[name]).answer.kind
            #expect(kind.problems(of: value).isEmpty, "\(name): \(kind.problems(of: value))")
            return value
        case .failure(let status): return ["error": .string(status.errorString)]
        }
    }

    private func row(_ id: String, _ key: VerifyingKey, _ targets: JSONValue) -> JSONValue {
        ["id": .string(id), "fingerprint": .string(key.fingerprint), "targets": targets, "commands": ["push"]]
    }

    private func counted(_ reason: String? = nil) -> Int64 {
        let group = statistics.snapshot().group("push")?.json
        return (reason.map { group?["refused"]?[$0] } ?? group?["accepted"])?.integer ?? -1
    }

    @Test func anOrderChangesSettings() throws {
        let host = try makeHost()
        let report = try answer(host, "push", ["envelope": try envelope(7)])
        #expect(report == ["order": 7, "key": "bar-1", "revision": 2, "paths": ["/sound/volume"]])
        #expect(archive.kept?.document["sound"] == ["volume": 60] && archive.kept?.author.hasPrefix("push") == true)
        #expect(events.map(\.name) == ["service.orderAccepted"])
        #expect(events[0].payload["comment"] == "louder" && events[0].payload["order"] == 7)
        let status = try answer(host, "push-status")
        #expect(status["highest"] == 7 && status["applied"] == 7 && status["group"] == "bar")
        #expect(status["keys"] == [row("bar-1", signing.verifyingKey, ["all"])] && status["tags"] == ["vip"])
        #expect(status["last"]?["order"] == 7 && status["lastRefusal"] == nil)
        #expect(counted() == 1)
        host.stop()
    }

    @Test func aRefusalChangesNothingAndIsCounted() throws {
        let host = try makeHost()
        _ = try answer(host, "push", ["envelope": try envelope(7)])
        let before = archive.kept
        let error = try answer(host, "push", ["envelope": try envelope(7)])["error"]?.string
        #expect(error == "order refused (replayed): revision 7 is not new; expected one above 7")
        #expect(archive.kept == before && counted("replayed") == 1 && counted("expired") == 0)
        #expect(events.last?.name == "service.orderRefused" && events.last?.payload["reason"] == "replayed")
        #expect(try answer(host, "push-status").at("/lastRefusal/reason") == "replayed")
        host.stop()
    }

    /// Anybody may give orders: those that are refused do not push everything else out of the log.
    @Test func refusalsAreToldSeldom() throws {
        let host = try makeHost()
        for _ in 0..<40 { _ = try answer(host, "push", ["envelope": [:]]) }
        #expect(events.map(\.name) == Array(repeating: "service.orderRefused", count: Push.telling.atOnce))
        #expect(counted("malformed") == 40)
        host.stop()
    }

    /// An order whose settings did not prove themselves is in force no more: none builds on it.
    @Test func anOrderThatWasTakenBackIsNoBase() throws {
        let host = try makeHost()
        let tall: JSONValue = ["settings": ["merge": ["sound": .null, "output": ["height": 1_080]]]]
        let order = try envelope(7, tall.merging(patch: ["confirmWithinS": 30]))
        #expect(try answer(host, "push", ["envelope": order])["order"] == 7)
        #expect(store?.pending?.watch.times.within == .seconds(30))
        #expect(archive.kept?.author == "push bar-1" && archive.kept?.comment == "louder")
        host.tick(at: Monotonic(nanoseconds: 0))
        #expect(try answer(host, "push-status")["applied"] == 7)
        store?.takeBack(because: "no picture") { #expect((try? $0.get()) != nil) }
        host.tick(at: Monotonic(nanoseconds: 0))
        #expect(try answer(host, "push-status")["applied"] == nil)
        var next = "busy"
        // Until the memory is on the disk no other order is taken.
        while next.hasPrefix("busy") || next.hasPrefix("an order is being") {
            try loop?.turn(atMost: .milliseconds(50))
            next = try answer(host, "push", ["envelope": try envelope(8, ["base": 7])])["error"]?.string ?? ""
        }
        #expect(next.hasPrefix("order refused (otherBase)"), "\(next)")
        host.stop()
    }

    /// The revision of an order that the settings refuse is had all the same, and the order before stays in force.
    @Test func settingsMayRefuse() throws {
        let host = try makeHost()
        _ = try answer(host, "push", ["envelope": try envelope(1)])
        let wrong = try envelope(2, ["settings": ["merge": ["sound": ["volume": 101]]]])
        let error = try answer(host, "push", ["envelope": wrong])["error"]?.string
        #expect(error == "order refused (settings): /sound/volume is 101; expected an integer, 0...100")
        #expect(archive.kept?.document["sound"] == ["volume": 60] && counted("settings") == 1)
        let next = try envelope(3, ["base": 1, "settings": ["merge": ["sound": ["volume": 30]]]])
        #expect(try answer(host, "push", ["envelope": next])["order"] == 3)
        #expect(try answer(host, "push", ["envelope": try envelope(2)])["error"]?.string?.contains("replayed") == true)
        host.stop()
    }

    /// The signature is the right to change what only the local socket changes, such as the keys themselves.
    @Test func keysAreRotatedByAnOrder() throws {
        let host = try makeHost()
        let new = try SigningKey(seed: [UInt8](repeating: 6, count: 32)).verifyingKey
        let keys: JSONValue = [["id": "bar-2", "publicKey": .string(new.base64), "targets": ["box"]]]
        let order = try envelope(1, ["settings": ["merge": ["push": ["keys": keys]]]])
        #expect(try answer(host, "push", ["envelope": order])["paths"] == ["/sound/volume", "/push/keys"])
        #expect(try answer(host, "push-status")["keys"] == [row("bar-2", new, ["box"])])
        #expect(ring.keys.map(\.id) == ["bar-2"] && ring.recipient.group == "bar" && ring.recipient.tags == ["vip"])
        let error = try answer(host, "push", ["envelope": try envelope(2)])["error"]?.string
        #expect(error?.contains("unknownKey") == true)
        host.stop()
    }

    /// A key that may give commands to groups changes no settings.
    @Test func aKeyForCommandsSignsNoOrders() throws {
        var document = settings
        document["push"]?["keys"] = [
            [
                "id": "bar-1", "publicKey": .string(signing.verifyingKey.base64), "targets": ["all"],
                "commands": ["tune", "volume*"],
            ]
        ]
        let host = try makeHost(document)
        let error = try answer(host, "push", ["envelope": try envelope(1)])["error"]?.string
        #expect(error?.contains("(keyWithoutCommand)") == true && counted("keyWithoutCommand") == 1)
        #expect(try answer(host, "push-status").at("/keys/0/commands") == ["tune", "volume*"])
        #expect(archive.kept == nil)
        host.stop()
    }

    @Test func theMemoryOutlivesTheFeature() throws {
        var host = try makeHost()
        _ = try answer(host, "push", ["envelope": try envelope(4)])
        host.stop()
        host = try makeHost()
        #expect(try answer(host, "push-status")["applied"] == 4)
        #expect(try answer(host, "push", ["envelope": try envelope(4)])["error"]?.string?.contains("replayed") == true)
        host.stop()
    }

    /// A box that ends while the settings take an order has it on the disk as had, and no order as in force.
    @Test func anOrderIsRememberedBeforeItIsApplied() throws {
        let host = try makeHost()
        _ = try answer(host, "push", ["envelope": try envelope(1)])
        var seen: [OrderMemory] = []
        archive.onStep = { [directory] step in
            guard step == "stage", let text = try? DurableFile.read(directory + "/push.json") else { return }
            if let memory = try? OrderMemory(parsing: text) { seen.append(memory) }
        }
        let next = try envelope(2, ["settings": ["merge": ["sound": ["volume": 50]]]])
        _ = try answer(host, "push", ["envelope": next])
        #expect(seen == [OrderMemory(highest: 2, applied: nil, savedTime: Self.now)])
        host.stop()
    }

    /// Power failed while the settings took order 2: nobody knows whether it is in force. It is never taken again, nothing
    /// builds on it or on the one before, and a replacement goes on.
    @Test func anEndWhileAnOrderIsAppliedLosesNothing() throws {
        var host = try makeHost()
        _ = try answer(host, "push", ["envelope": try envelope(1)])
        host.stop()
        try DurableFile.write(OrderMemory(highest: 2, savedTime: Self.now).octets, to: directory + "/push.json")
        host = try makeHost()
        #expect(try answer(host, "push-status")["applied"] == nil)
        for (revision, base, reason) in [(2, nil, "replayed"), (3, 1, "otherBase"), (4, 2, "otherBase")]
            as [(Int64, Int64?, String)]
        {
            let order = try envelope(revision, ["base": base.map { .integer($0) } ?? .null])
            let error = try answer(host, "push", ["envelope": order])["error"]?.string ?? "it is taken"
            #expect(error.contains("(\(reason))"), "\(error)")
        }
        #expect(try answer(host, "push", ["envelope": try envelope(5)])["order"] == 5)
        #expect(try answer(host, "push-status")["applied"] == 5)
        host.stop()
    }

    /// What cannot be remembered is not applied, and may be given again.
    @Test func aFullDiskRefusesOrders() throws {
        let host = try makeHost()
        try DurableFile.makeDirectory(directory + "/push.json.new")
        let error = try answer(host, "push", ["envelope": try envelope(1)])["error"]?.string
        #expect(error?.contains("(memory)") == true && archive.kept == nil)
        #expect(try answer(host, "push-status")["highest"] == 0)
        try FileManager.default.removeItem(atPath: directory + "/push.json.new")
        #expect(try answer(host, "push", ["envelope": try envelope(1)])["order"] == 1)
        host.stop()
    }

    @Test func withoutAMemoryNoOrderIsTaken() throws {
        try DurableFile.makeDirectory(directory)
        try DurableFile.write(Array("{".utf8), to: directory + "/push.json")
        let host = try makeHost()
        let error = try answer(host, "push", ["envelope": try envelope(1)])["error"]?.string
        #expect(error?.contains("(memory)") == true && error?.contains("push.json") == true)
        #expect(archive.kept == nil && counted("memory") == 1)
        #expect(try answer(host, "push-status")["problem"]?.string?.contains("push.json") == true)
        host.stop()
    }

    @Test func theTimeOfAClockThatIsSetIsSaved() throws {
        let host = try makeHost()
        clock = OrderClock(now: WallTime(nanoseconds: 1), isSet: false, built: WallTime(nanoseconds: 0))
        _ = try answer(host, "push", ["envelope": try envelope(1)])
        clock = OrderClock(now: Self.now, isSet: true, built: WallTime(nanoseconds: 0))
        host.tick(at: Monotonic(nanoseconds: 0))
        host.stop()  // waits for the file
        let text = try #require(try DurableFile.read(directory + "/push.json"))
        #expect(try OrderMemory(parsing: text) == OrderMemory(highest: 1, applied: 1, settings: 2, savedTime: Self.now))
    }

    @Test func wrongKeysAreNoSettings() throws {
        let noPoint = "MCowBQYDK2VwAyEA" + String(repeating: "/", count: 42) + "8="
        for (keys, place) in [
            ([["id": "a", "publicKey": .string(noPoint), "targets": ["all"]]], "/push/keys/0/publicKey"),
            (
                [
                    ["id": "a", "publicKey": .string(signing.verifyingKey.base64), "targets": ["all"]],
                    ["id": "a", "publicKey": .string(signing.verifyingKey.base64), "targets": ["box"]],
                ], "/push/keys/1/id"
            ),
            (
                [["id": "a", "publicKey": .string(signing.verifyingKey.base64), "targets": ["any"]]],
                "/push/keys/0/targets/0"
            ),
            ([["id": "a", "publicKey": "AAAA", "targets": ["all"]]], "/push/keys/0/publicKey"),
            (
                [
                    [
                        "id": "a", "publicKey": .string(signing.verifyingKey.base64), "targets": ["all"],
                        "commands": ["tune", "*tune"],
                    ]
                ], "/push/keys/0/commands/1"
            ),
            (
                [
                    [
                        "id": "a", "publicKey": .string(signing.verifyingKey.base64), "targets": ["all"],
                        "commands": [],
                    ]
                ], "/push/keys/0/commands"
            ),
        ] as [(JSONValue, String)] {
            do {
                _ = try makeHost(["push": ["keys": keys]])
                Issue.record("\(place) is taken")
            } catch let failure as SettingsFailure {
                #expect(failure.description.contains(place))
            }
        }
    }
}
