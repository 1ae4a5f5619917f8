// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import Playback
import Shapes
import Statistics
import System
import Testing
import Time
import Venue

@testable import Sync

/// The feature in a host of its own, with a stage that plays what it is told, and televisions that do not answer.
final class SyncBench {
    /// Nobody listens there.
    static let television = "ws://127.0.0.1:9/cii"

    let regions = RegionDirectory(PlaybackPolicy(), sessionLimit: 4)
    let store: SettingsStore
    let loop: EventLoop
    let identity: BoxIdentity
    let statistics = StatisticRegistry()
    let timeline = TimelineView()
    let host: FeatureHost
    private let written = Written()
    private let catalogue = Catalogue(FeatureDeclarations([Sync.self]).commands)

    private final class Written {
        var events: [(type: String, payload: JSONValue)] = []
        var performed: [String] = []
    }

    init(_ settings: JSONValue = [:]) throws {
        var context = try FeatureContext.testing(
            of: Sync.self, settings: settings.object?.isEmpty == true ? [:] : ["sync": settings], statistics: statistics
        ) { [written] type, payload in written.events.append((type, payload)) }
        regions.environment.open = { _, _ in nil }
        regions.environment.perform = { [written] in written.performed.append("\($0) \($1)") }
        // It cannot be kept there, and is another one each time.
        identity = try BoxIdentity.load(from: "/proc/touchline")
        context.provide(identity)
        context.provide(regions)
        context.provide(timeline)
        store = context.settings
        loop = context.loop
        host = try FeatureHost([Sync.self], context)
    }

    deinit { host.stop() }

    /// The events since the last time, each of the form that is declared.
    func takeEvents() throws -> [(type: String, payload: JSONValue)] {
        defer { written.events = [] }
        let declared = FeatureDeclarations([Sync.self]).events
        for (type, payload) in written.events {
            let about = try #require(declared.first { $0.type == type }, "\(type) is not declared")
            #expect(ValueKind.record(about.payload).problems(of: payload).isEmpty, "\(type): \(payload.text())")
        }
        return written.events
    }

    /// Session and state of each `sync.state` since the last time, as "1 stopped".
    func takeStates() throws -> [String] {
        try takeEvents().filter { $0.type == "sync.state" }.map { _, payload in
            "\(payload["session"]?.integer ?? -1) \(payload["name"]?.string ?? "")"
        }
    }

    /// What sessions were told since the last time.
    func takePerformed() -> [String] {
        defer { written.performed = [] }
        return written.performed
    }

    /// The answer, which has the form that the catalogue says, or the refusal.
    func answer(_ name: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
        var answered = JSONValue.null
        let isHandled = host.handle(try CommandRequest(command: name, arguments: arguments, in: catalogue)) { result in
            switch result {
            case .success(let answer): answered = answer
            case .failure(let status): answered = .string(status.errorString)
            }
        }
        #expect(isHandled)
        if answered.object != nil {
            let problems = try catalogue.command(named: name).answer.kind.problems(of: answered)
            #expect(problems.isEmpty, "\(name): \(problems)")
        }
        return answered
    }

    /// The answer to a command that takes its time: the loop runs until it is there.
    func laterAnswer(_ name: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
        var answered: JSONValue?
        let isHandled = host.handle(try CommandRequest(command: name, arguments: arguments, in: catalogue)) { result in
            switch result {
            case .success(let answer): answered = answer
            case .failure(let status): answered = .string(status.errorString)
            }
        }
        #expect(isHandled && answered == nil, "it does not wait")
        let end = SystemClock.monotonic() + .seconds(20)
        while answered == nil, SystemClock.monotonic() < end { try loop.turn(atMost: .milliseconds(10)) }
        let answer = try #require(answered)
        if answer.object != nil {
            let problems = try catalogue.command(named: name).answer.kind.problems(of: answer)
            #expect(problems.isEmpty, "\(name): \(problems)")
        }
        return answer
    }

    /// - Returns: the refusal; nil if the change is in effect.
    @discardableResult func change(_ patch: JSONValue) throws -> String? {
        var outcome: Result<SettingsOutcome, SettingsFailure>?
        store.change(.merge(["sync": patch]), from: .localSocket) { outcome = $0 }
        guard case .failure(let failure) = try #require(outcome) else { return nil }
        return failure.description
    }

    var settings: SyncSettings { store.running[SyncSettings.self] }

    @discardableResult func play(_ name: String, in region: RegionPlayer? = nil) throws -> Int {
        let transport = Transport(address: "239.1.1.1", port: 5_000, encapsulation: .raw)
        let region = region ?? regions.main
        regions.control(.tune(Channel(id: .init(name), name: name, transport: transport)), in: region)
        return try #require(region.player.current?.id)
    }
}
