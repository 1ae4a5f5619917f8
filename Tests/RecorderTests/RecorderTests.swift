// SPDX-License-Identifier: Apache-2.0
import Bytes
import Commands
import FeatureTesting
import Foundation
import Hosting
import JSON
import Recording
import Shapes
import Statistics
import Synchronization
import System
import Testing
import Time
import Venue

@testable import Recorder

/// A disk that can be full.
private final class SmallDisk: IncidentFiles {
    let files = Mutex<[String: [UInt8]]>([:])
    let isFull = Mutex(false)

    func list() throws(SystemCallError) -> [(name: String, octets: Int)] {
        files.withLock { $0.map { ($0.key, $0.value.count) } }
    }
    func write(_ name: String, _ octets: [UInt8]) throws(SystemCallError) {
        if isFull.withLock({ $0 }) { throw SystemCallError("write \(name)", Errno(rawValue: 28)) }
        files.withLock { $0[name] = octets }
    }
    func read(_ name: String) throws(SystemCallError) -> [UInt8]? { files.withLock { $0[name] } }
    func remove(_ name: String) throws(SystemCallError) { files.withLock { _ = $0.removeValue(forKey: name) } }
}

private struct SecretSettings: SettingsSection, Equatable {
    static let name = "secrets"
    static let help = "A secret."
    var token = ""
    static let shape = Shape<Self>([
        .setting("token", \.token, .text(0...256), .atOnce, isSecret: true, "A token.")
    ])
}

/// Has a secret in the settings.
private final class Secretive: Feature {
    static let summary = "a secret"
    static var sections: [SectionDescription] { [SectionDescription(SecretSettings.self)] }
    init(_ context: FeatureContext) throws(Status) {}
}

/// G-56 by the commands and by events, given to the feature alone.
@Suite final class RecorderTests {
    private let disk = SmallDisk()
    private let directory = FileManager.default.temporaryDirectory.appending(path: "recorder-\(UUID())").path
    private let statistics = StatisticRegistry()
    private let signal = EventSignal()
    private var told: [(name: String, payload: JSONValue)] = []
    private var happened: [Event] = []
    private var loop: EventLoop?
    /// What was asked of the screen: the period, and what ended it as nil.
    private var asked: [Nanoseconds?] = []
    private var deliver: (@Sendable ([UInt8]) -> Void)?

    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private func makeHost(_ document: JSONValue = [:], nonce: UInt64 = 1) throws -> FeatureHost {
        var context = try FeatureContext.testing(
            of: Recorder.self, Secretive.self, settings: document, statistics: statistics
        ) { [unowned self] in told.append(($0, $1)) }
        let rings = RingDirectory(directory, nonce: nonce)
        context.provide(signal)
        context.provide(FlowRecordings(rings))
        context.provide(
            Recorder.Sources(
                files: disk, rings: rings, box: "a-box",
                events: { [unowned self] after, _ in (0, happened.filter { $0.sequence > after }) },
                pictures: { [unowned self] period, deliver in
                    asked.append(period)
                    self.deliver = deliver
                    return { [unowned self] in asked.append(nil) }
                }))
        loop = context.loop
        let host = try FeatureHost([Recorder.self], context)
        host.start()
        return host
    }

    private func emit(_ family: Event.Family, _ name: String, _ payload: JSONValue) {
        happened.append(
            Event(
                sequence: UInt64(happened.count + 1), time: SystemClock.monotonic(), wallTime: SystemClock.wall(),
                family: family, name: name, payload: payload))
        signal.raise()
    }

    private func answer(
        _ host: FeatureHost, _ name: String, _ arguments: JSONValue = [:]
    ) throws -> Result<JSONValue, Status> {
        let catalogue = Catalogue(FeatureDeclarations([Recorder.self]).commands)
        let request = try CommandRequest(command: name, arguments: arguments, in: catalogue)
        var answered: Result<JSONValue, Status>?
        let loop = try #require(loop)
        #expect(
            host.handle(request) {
                answered = $0
                loop.stop()
            })
        while answered == nil { try loop.run() }
        return try #require(answered)
    }

    /// Runs the loop until so many incidents were told.
    private func awaitTold(_ count: Int) throws {
        let loop = try #require(loop)
        let end = SystemClock.monotonic() + .seconds(10)
        while told.count < count, SystemClock.monotonic() < end {
            let timer = loop.after(.milliseconds(20)) { loop.stop() }
            try loop.run()
            loop.cancel(timer)
        }
        #expect(told.count == count)
    }

    @Test func whoAsksGetsAnIncident() throws {
        let host = try makeHost()
        defer { host.stop() }
        emit(.video, "openState", ["channel": "Arena"])
        host.tick(at: SystemClock.monotonic())
        let made = try answer(host, "incident-record", ["note": "it flickers"]).get()
        let id = try #require(made["id"]?.string)
        #expect(made["kind"] == "command")
        #expect(told.map(\.name) == ["incident.recorded"] && told[0].payload["cause"] == "it flickers")
        let listed = try answer(host, "incidents").get()
        #expect(listed["incidents"]?.array?.first == made)
        var file: [UInt8] = []
        repeat {
            let piece = try answer(host, "incident-read", ["id": .string(id), "offset": .integer(Int64(file.count))])
                .get()
            file += Base64.decode(try #require(piece["data"]?.string)) ?? []
            #expect(piece["next"]?.integer == Int64(file.count))
        } while Int64(file.count) < made["octets"]?.integer ?? 0
        let bundle = try Bundle(parsing: file)
        let texts = bundle.sections.map { String(decoding: $0.octets, as: UTF8.self) }
        #expect(bundle.cut == nil && texts[0].contains("it flickers") && texts[0].contains("a-box"))
        #expect(texts.contains { $0.contains("video.openState") && $0.contains("Arena") })
        #expect(bundle.sections.contains { $0.kind == .statistics })
        _ = try answer(host, "incident-remove", ["id": .string(id)]).get()
        #expect(try answer(host, "incidents").get()["incidents"] == [])
        #expect(disk.files.withLock { $0.isEmpty })
    }

    @Test func picturesAreTakenAsTheSettingsSay() throws {
        let host = try makeHost(["recorder": ["pictureS": 7]])
        for _ in 0..<3 { host.tick(at: SystemClock.monotonic()) }
        #expect(asked == [.seconds(7)])
        let taken = try #require(deliver)
        for number in 0..<3 { taken([0xFF, 0xD8, UInt8(number)]) }
        let id = try #require(try answer(host, "incident-record").get()["id"]?.string)
        let bundle = try Bundle(parsing: try #require(disk.files.withLock { $0[id + ".tli"] }))
        let pictures = bundle.files.filter { $0.name.hasPrefix("picture-") }
        #expect(pictures.map { $0.octets.last } == [2, 1, 0], "the newest is first")
        host.stop()
        #expect(asked == [.seconds(7), nil])
    }

    @Test(arguments: [["pictureS": 0], ["enabled": false]] as [JSONValue])
    func noPicturesWhereNoneAreWanted(settings: JSONValue) throws {
        let host = try makeHost(["recorder": settings])
        defer { host.stop() }
        host.tick(at: SystemClock.monotonic())
        #expect(asked.isEmpty)
    }

    @Test func whatIsWrongIsRefusedAndChangesNothing() throws {
        let host = try makeHost()
        defer { host.stop() }
        for name in ["incident-read", "incident-remove"] {
            guard case .failure(let status) = try answer(host, name, ["id": "../../etc/passwd"]) else {
                Issue.record("\(name) took it")
                continue
            }
            #expect(status.errorString.contains("../../etc/passwd") && status.code == .usage)
        }
        let made = try answer(host, "incident-record").get()
        guard
            case .failure(let status) = try answer(
                host, "incident-read", ["id": made["id"] ?? .null, "offset": 60_000_000])
        else {
            Issue.record("it was read")
            return
        }
        #expect(status.errorString.contains("60000000"))
    }

    /// Two causes of one kind make one incident, and causes of two kinds make two.
    @Test func eventsMakeIncidents() throws {
        let host = try makeHost()
        defer { host.stop() }
        emit(.service, "state", ["state": "down", "reasonNames": ["NoChannels"]])
        emit(.video, "channelState", ["region": "left", "channelState": "play"])
        emit(.video, "bufferingActive", ["region": "left"])
        emit(.video, "bufferingActive", ["region": "left"])
        emit(.service, "state", ["state": "up", "reasonNames": []])
        host.tick(at: SystemClock.monotonic())
        #expect(told.isEmpty)
        host.tick(at: SystemClock.monotonic() + .seconds(3))
        try awaitTold(2)
        #expect(Set(told.compactMap { $0.payload["kind"]?.string }) == ["service", "stall"])
        #expect(told.contains { $0.payload["cause"] == "service down: NoChannels" })
        #expect(statistics.snapshot().group("recorder")?["passedOver"]?.json == 1)
    }

    /// What was only tuned waits for its first picture, as each channel does.
    @Test func tuningIsNoStall() throws {
        let host = try makeHost()
        defer { host.stop() }
        for region in [nil, "left"] as [JSONValue?] {
            for state in ["open", "play", "stop", "close", "open"] {
                emit(.video, "channelState", ["channelState": .string(state), "region": region ?? .null])
                if state == "open" { emit(.video, "bufferingActive", ["region": region ?? .null]) }
            }
        }
        host.tick(at: SystemClock.monotonic())
        host.tick(at: SystemClock.monotonic() + .seconds(3))
        #expect(statistics.snapshot().group("recorder")?["passedOver"]?.json == 0)
        // Then the picture of one region stalls.
        emit(.video, "channelState", ["channelState": "live"])
        emit(.video, "bufferingActive", [:])
        host.tick(at: SystemClock.monotonic())
        host.tick(at: SystemClock.monotonic() + .seconds(3))
        try awaitTold(1)
        #expect(told.first?.payload["cause"] == "nothing to play in region main")
    }

    /// A box that was killed is found by its next start, which tells of it once.
    @Test func aKilledProcessIsAnIncident() throws {
        let dead = try makeHost()
        emit(.video, "openState", ["channel": "before the end"])
        // It is not stopped.
        happened = []
        let host = try makeHost(nonce: 2)
        try awaitTold(1)
        #expect(told[0].payload["kind"] == "crash")
        let file = try #require(disk.files.withLock { $0.values.first })
        let bundle = try Bundle(parsing: file)
        #expect(bundle.sections.contains { String(decoding: $0.octets, as: UTF8.self).contains("before the end") })
        host.stop()
        dead.stop()
        told = []
        let after = try makeHost(nonce: 3)
        _ = try answer(after, "incident-record").get()
        #expect(told.count == 1)
        after.stop()
    }

    /// A full disk is counted, told to who asks, and changes nothing else; with room again incidents are kept.
    @Test func aFullDiskIsTold() throws {
        let host = try makeHost()
        defer { host.stop() }
        disk.isFull.withLock { $0 = true }
        for _ in 0..<3 {
            guard case .failure(let status) = try answer(host, "incident-record") else {
                Issue.record("it was kept")
                continue
            }
            #expect(status.errorString.contains("not kept"))
        }
        #expect(statistics.snapshot().group("recorder")?["failures"]?.json == 3)
        disk.isFull.withLock { $0 = false }
        _ = try answer(host, "incident-record").get()
        #expect(statistics.snapshot().group("recorder")?["incidents"]?.json == 1)
    }

    /// The oldest give way to what settings allow.
    @Test func incidentsAreBoundedInNumber() throws {
        let host = try makeHost(["recorder": ["incidentCount": 2]])
        defer { host.stop() }
        for _ in 0..<3 { _ = try answer(host, "incident-record").get() }
        #expect(try answer(host, "incidents").get()["incidents"]?.array?.count == 2)
        #expect(disk.files.withLock { $0.count } == 2)
    }

    @Test func aRecorderThatIsOffRecordsNothing() throws {
        let host = try makeHost(["recorder": ["enabled": false]])
        defer { host.stop() }
        emit(.service, "state", ["state": "down", "reasonNames": ["NoChannels"]])
        host.tick(at: SystemClock.monotonic() + .seconds(5))
        #expect(!FileManager.default.fileExists(atPath: directory))
        _ = try answer(host, "incidents").get()
        #expect(told.isEmpty)
    }

    /// The settings of a bundle have no secrets.
    @Test func secretsAreMasked() throws {
        let host = try makeHost(["secrets": ["token": "very-secret-token"]])
        defer { host.stop() }
        let context = try answer(host, "incident-record").get()
        #expect(context["id"] != nil)
        let file = try #require(disk.files.withLock { $0.values.first })
        let bundle = try Bundle(parsing: file)
        #expect(!bundle.sections.contains { String(decoding: $0.octets, as: UTF8.self).contains("very-secret") })
    }
}
