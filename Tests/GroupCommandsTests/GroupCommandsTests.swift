// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Foundation
import Hosting
import JSON
import Network
import Provisioning
import Shapes
import SignedEnvelopes
import Statistics
import System
import TestSupport
import Testing
import Time
import Venue

@testable import GroupCommands
@testable import Signing

/// G-33: group commands signed with one key, given to the feature alone.
@Suite(.serialized) final class GroupCommandsTests {
    private static let now = WallTime(rfc3339: "2026-11-21T12:00:00Z") ?? WallTime(nanoseconds: 0)
    private static let group = "239.255.84.72"
    private static let catalogue = Catalogue([
        CommandDescription(
            "volume", "Loudness", role: .operator,
            fields: [FieldDescription("volume", .integer(0...100), .required, "How loud.")])
    ])

    private var events: [(name: String, payload: JSONValue)] = []
    private var dispatched: [CommandRequest] = []
    private var outcome: Result<JSONValue, Status> = .success([:])
    private let statistics = StatisticRegistry()
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-group-\(UUID())").path
    private let signing: SigningKey
    private let ring = KeyRing()
    private var clock = OrderClock(now: GroupCommandsTests.now, isSet: true, built: WallTime(nanoseconds: 0))
    private var onDispatch: () throws -> Void = {}
    private var loop: EventLoop?
    private var store: SettingsStore?

    init() throws {
        signing = try SigningKey(seed: [UInt8](repeating: 5, count: 32))
        ring.publish(
            [OrderKey(id: "bar-1", key: signing.verifyingKey, scopes: [.group("bar")], commands: ["vol*"])],
            OrderRecipient(box: "box-1", group: "bar", tags: []))
    }
    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private func makeHost(_ document: JSONValue = [:]) throws -> FeatureHost {
        var context = try FeatureContext.testing(of: GroupCommands.self, settings: document, statistics: statistics) {
            [unowned self] in events.append(($0, $1))
        }
        context.provide(ring)
        var sources = GroupCommands.Sources(
            directory: directory, clock: { [unowned self] in clock }, catalogue: Self.catalogue,
            dispatch: { [unowned self] request, answer in
                do { try onDispatch() } catch { Issue.record("\(error)") }
                dispatched.append(request)
                answer(outcome)
            })
        let start = SystemClock.monotonic()
        sources.monotonic = { Monotonic(nanoseconds: SystemClock.monotonic().nanoseconds - start.nanoseconds) }
        context.provide(sources)
        (loop, store) = (context.loop, context.settings)
        let host = try FeatureHost([GroupCommands.self], context)
        host.start()
        return host
    }

    private func octets(_ sequence: Int64, _ patch: JSONValue = [:], by key: SigningKey? = nil) -> [UInt8] {
        let command: JSONValue = [
            "groupCommand": 1, "target": ["group": "bar"], "sequence": .integer(sequence),
            "sent": "2026-11-21T11:59:59.900Z", "expires": "2026-11-21T12:00:10Z", "command": "volume",
            "arguments": ["volume": 40],
        ]
        let unsigned = SignedEnvelope(
            payloadType: SignedCommand.payloadType, payload: command.merging(patch: patch).octets())
        let signature = (key ?? signing).signature(of: unsigned.signedOctets)
        return SignedEnvelope(
            payloadType: unsigned.payloadType, payload: unsigned.payload,
            signatures: [SignedEnvelope.Signature(keyID: "bar-1", octets: signature)]
        ).json.octets()
    }

    /// Runs the loop until so many commands were dispatched.
    private func turn(until count: Int) throws {
        let deadline = SystemClock.monotonic() + .seconds(10)
        while dispatched.count < count, SystemClock.monotonic() < deadline {
            try loop?.turn(atMost: .milliseconds(50))
        }
        #expect(dispatched.count == count)
    }

    private func status(_ host: FeatureHost) throws -> JSONValue {
        let catalogue = Catalogue(FeatureDeclarations([GroupCommands.self]).commands)
        var answered: Result<JSONValue, Status>?
        let isTaken = host.handle(try CommandRequest(command: "group-commands", in: catalogue)) { answered = $0 }
        #expect(isTaken)
        let value = try #require(try answered?.get())
        let kind = try #require(catalogue["group-commands"]).answer.kind
        #expect(kind.problems(of: value).isEmpty, "\(kind.problems(of: value))")
        return value
    }

    private func counted(_ pointer: String) -> Int64 {
        statistics.snapshot().group("groupCommands")?.json.at(pointer)?.integer ?? -1
    }

    private var memory: SequenceMemory? {
        get throws {
            try DurableFile.read(directory + "/group-commands.json").map { try SequenceMemory(parsing: $0) }
        }
    }

    /// Its sequence is on the disk before: whoever ends then does nothing twice.
    @Test func aCommandIsRememberedBeforeItIsCarriedOut() throws {
        let host = try makeHost()
        let feature = host[GroupCommands.self]
        let fingerprint = signing.verifyingKey.fingerprint
        onDispatch = { [unowned self] in
            let memory = try memory
            #expect(memory?[fingerprint] == 7)
        }
        #expect(feature.take(octets(7), from: "10.0.0.1") == nil)
        #expect(dispatched.isEmpty)
        try turn(until: 1)
        for _ in 0..<5 { #expect(feature.take(octets(7), from: "10.0.0.1") == nil) }
        #expect(dispatched[0].command == "volume" && dispatched[0].arguments == ["volume": 40])
        #expect(dispatched[0].caller.origin == .groupCommand && dispatched.count == 1)
        #expect(counted("/acted") == 1 && counted("/copies") == 5 && counted("/writes") == 1)
        #expect(events.map(\.name) == ["service.groupCommandActed"])
        #expect(events[0].payload["sequence"] == 7 && events[0].payload["key"] == "bar-1")
        #expect(events[0].payload["delayMs"] == 100 && events[0].payload["source"] == "10.0.0.1")
        let status = try status(host)
        #expect(status["sequences"] == [["fingerprint": .string(fingerprint), "highest": 7]])
        #expect(status.at("/last/command") == "volume" && status["lastRefusal"] == nil && status["ports"] == [])
        host.stop()
    }

    @Test func whatIsRefusedDoesNothingAndIsCounted() throws {
        let host = try makeHost()
        let feature = host[GroupCommands.self]
        let other = try SigningKey(seed: [UInt8](repeating: 6, count: 32))
        #expect(feature.take(octets(1, by: other), from: "a")?.reason == .wrongSignature)
        #expect(feature.take(octets(1, ["target": ["group": "lobby"]]), from: "a")?.reason == .otherTarget)
        #expect(
            feature.take(octets(1, ["target": ["group": .null, "all": true]]), from: "a")?.reason == .keyWithoutTarget)
        #expect(feature.take(nil, from: "a")?.reason == .tooLong)
        clock = OrderClock(now: Self.now, isSet: false, built: WallTime(nanoseconds: 0))
        #expect(feature.take(octets(1), from: "a")?.reason == .clockNotSet)
        #expect(try status(host)["isClockSet"] == false)
        for reason in ["wrongSignature", "otherTarget", "keyWithoutTarget", "tooLong", "clockNotSet"] {
            #expect(counted("/refused/\(reason)") == 1, "\(reason)")
        }
        // Others are addressed all the time: that is no news.
        #expect(events.count == 4 && events.allSatisfy { $0.name == "service.groupCommandRefused" })
        #expect(try status(host).at("/lastRefusal/reason") == "clockNotSet")
        let memory = try memory
        #expect(dispatched.isEmpty && memory == nil)
        host.stop()
    }

    /// Anybody in the network can cause them.
    @Test func refusalsAreToldSeldom() throws {
        let host = try makeHost()
        for _ in 0..<100 { host[GroupCommands.self].take([0x7b], from: "a") }
        #expect((32...34).contains(events.count) && counted("/refused/malformed") == 100)
        host.stop()
    }

    @Test func aCommandThatFailsIsTold() throws {
        let host = try makeHost()
        outcome = .failure(.failure(.failed, "no such channel"))
        host[GroupCommands.self].take(octets(1), from: "a")
        try turn(until: 1)
        #expect(counted("/failed") == 1 && counted("/acted") == 0)
        #expect(events.last?.payload["problem"] == "no such channel")
        host.stop()
    }

    /// A command with a time waits for it.
    @Test func allBoxesActAtOneTime() throws {
        let host = try makeHost()
        let start = SystemClock.monotonic()
        host[GroupCommands.self].take(octets(1, ["at": "2026-11-21T12:00:00.300Z"]), from: "a")
        try turn(until: 1)
        let wait = SystemClock.monotonic() - start
        #expect(wait >= .milliseconds(300) && wait < .seconds(5))
        host.stop()
    }

    @Test func theMemoryOutlivesTheFeature() throws {
        var host = try makeHost()
        host[GroupCommands.self].take(octets(4), from: "a")
        try turn(until: 1)
        host.stop()
        host = try makeHost()
        #expect(host[GroupCommands.self].take(octets(4), from: "a")?.reason == .replayed)
        #expect(host[GroupCommands.self].take(octets(5), from: "a") == nil)
        try turn(until: 2)
        host.stop()
    }

    /// What cannot be remembered is not carried out; a copy that comes when the disk has room is.
    @Test func aFullDiskRefusesCommands() throws {
        let host = try makeHost()
        try DurableFile.makeDirectory(directory + "/group-commands.json.new")
        host[GroupCommands.self].take(octets(1), from: "a")
        let deadline = SystemClock.monotonic() + .seconds(10)
        while events.isEmpty, SystemClock.monotonic() < deadline { try loop?.turn(atMost: .milliseconds(50)) }
        #expect(counted("/refused/memory") == 1 && dispatched.isEmpty)
        try FileManager.default.removeItem(atPath: directory + "/group-commands.json.new")
        #expect(host[GroupCommands.self].take(octets(1), from: "a") == nil)
        try turn(until: 1)
        host.stop()
    }

    @Test func withoutAMemoryNoneIsTaken() throws {
        try DurableFile.makeDirectory(directory)
        try DurableFile.write(Array("{".utf8), to: directory + "/group-commands.json")
        let host = try makeHost()
        #expect(host[GroupCommands.self].take(octets(1), from: "a")?.reason == .memory)
        #expect(try status(host)["problem"]?.string?.contains("group-commands.json") == true)
        host.stop()
    }

    @Test func aPlaceIsNamedOnce() throws {
        let place: JSONValue = ["address": "239.255.84.72", "port": 7_684]
        do {
            _ = try makeHost(["groupCommands": ["listen": [place, place]]])
            Issue.record("it is taken")
        } catch let failure as SettingsFailure {
            #expect(failure.description.contains("/groupCommands/listen/1"))
        }
    }

    /// By multicast, on two ports: each copy of either is known. Then the settings name other ports.
    @Test(.enabled(if: Groups.canBeJoined)) func datagramsAreHeardWhereTheSettingsSay() throws {
        func listen(_ ports: [Int64]) -> JSONValue {
            .array(ports.map { ["address": .string(Self.group), "port": .integer($0), "interface": "lo"] })
        }
        let host = try makeHost(["groupCommands": ["listen": listen([21_701, 21_702])]])
        #expect(try status(host)["ports"]?.array?.allSatisfy { $0["problem"] == nil } == true)
        func send(_ octets: [UInt8], _ port: UInt16) throws {
            let socket = try DatagramSocket(sendingTo: Self.group, port: port, interface: "lo")
            try octets.withUnsafeBytes { try socket.send($0) }
        }
        for port in [21_701, 21_702, 21_702] as [UInt16] { try send(octets(1), port) }
        try send([UInt8](repeating: 0x20, count: 1_201), 21_701)
        let deadline = SystemClock.monotonic() + .seconds(10)
        while counted("/copies") < 2 || counted("/refused/tooLong") < 1 || dispatched.isEmpty,
            SystemClock.monotonic() < deadline
        { try loop?.turn(atMost: .milliseconds(50)) }
        #expect(dispatched.count == 1 && counted("/copies") == 2 && counted("/refused/tooLong") == 1)

        var changed: Result<SettingsOutcome, SettingsFailure>?
        store?.change(.merge(["groupCommands": ["listen": listen([21_702, 21_703])]]), from: .localSocket) {
            changed = $0
        }
        while changed == nil { try loop?.turn(atMost: .milliseconds(50)) }
        for port in [21_701, 21_703] as [UInt16] { try send(octets(Int64(port)), port) }
        try turn(until: 2)
        let memory = try memory
        #expect(memory?[signing.verifyingKey.fingerprint] == 21_703)
        host.tick(at: SystemClock.monotonic())
        #expect(try status(host)["ports"]?.array?.count == 2)
        host.stop()
    }

    /// An interface that is not there yet is no failure of the settings.
    @Test func aMissingInterfaceIsToldAndWaitedFor() throws {
        let listen: JSONValue = [["address": "239.255.84.72", "port": 7_684, "interface": "none7"]]
        let host = try makeHost(["groupCommands": ["listen": listen]])
        #expect(try status(host).at("/ports/0/problem")?.string?.contains("none7") == true)
        host.tick(at: SystemClock.monotonic())
        host.stop()
    }
}
