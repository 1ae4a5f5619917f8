// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Foundation
import Hosting
import JSON
import NetworkHelper
import NetworkPlan
import Statistics
import System
import Testing
import Time
import Venue

@testable import NetworkSetup

/// The feature with the helper on a thread of this process.
@Suite final class NetworkSetupTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-setup-\(UUID())").path
    private let archive = MemoryArchive()
    private let statistics = StatisticRegistry()
    private var events: [(name: String, payload: JSONValue)] = []
    private var loop: EventLoop?
    private var store: SettingsStore?
    private var helper: NetworkHelperPeer?
    private var clock: SystemClock.State?

    deinit {
        helper?.stop()
        try? FileManager.default.removeItem(atPath: directory)  // a leftover in /tmp hurts nobody
    }

    private func makeHost(_ settings: JSONValue = [:], hasHelper: Bool = true) throws -> FeatureHost {
        if hasHelper { helper = try NetworkHelperPeer(in: directory) }
        var context = try FeatureContext.testing(
            of: NetworkSetup.self, settings: settings, archive: archive, statistics: statistics
        ) { [unowned self] in events.append(($0, $1)) }
        context.provide(
            NetworkSetup.Sources(
                helper: directory + "/network.sock", devices: NetworkHelperPeer.devices,
                clock: { [unowned self] in clock }))
        context.provide(DisplayedClock(isSynchronised: { false }))
        (loop, store) = (context.loop, context.settings)
        let host = try FeatureHost([NetworkSetup.self], context)
        host.start()
        return host
    }

    /// Runs the loop until there is something.
    private func awaited<Value>(_ value: () -> Value?) throws -> Value {
        let deadline = SystemClock.monotonic() + .seconds(30)
        while SystemClock.monotonic() < deadline {
            if let found = value() { return found }
            try loop?.turn(atMost: .milliseconds(20))
        }
        throw CancellationError()
    }

    private func change(_ patch: JSONValue) throws -> Result<SettingsOutcome, SettingsFailure> {
        var answered: Result<SettingsOutcome, SettingsFailure>?
        store?.change(.merge(patch), from: .localSocket) { answered = $0 }
        return try awaited { answered }
    }

    private func answer(_ host: FeatureHost, _ name: String) throws -> JSONValue {
        let catalogue = Catalogue(FeatureDeclarations([NetworkSetup.self]).commands)
        let request = try CommandRequest(command: name, arguments: [:], in: catalogue)
        var answered: Result<JSONValue, Status>?
        #expect(host.handle(request) { answered = $0 })
        let value = try awaited { answered }.get()
        #expect(try #require(catalogue[name]).answer.kind.problems(of: value).isEmpty, "\(name)")
        return value
    }

    private func counted(_ name: String) -> Int64? {
        statistics.snapshot().group("uplink")?.json[name]?.integer
    }

    /// At start what is in force is applied, and a change by the settings afterwards; it has to prove itself.
    @Test func whatTheSettingsSayIsApplied() throws {
        let host = try makeHost(["uplink": ["dns": ["192.0.2.53"]]])
        _ = try awaited { events.first }
        #expect(events[0].name == "network.applied" && events[0].payload["cause"] == "start")
        #expect(helper?.networkdFile("60-touchline-eth0.network")?.contains("DNS=192.0.2.53") == true)
        let outcome = try change(["uplink": ["wired": ["addresses": ["192.0.2.10/24"]]]]).get()
        #expect(outcome.changes.map(\.path) == ["/uplink/wired"] && outcome.confirmation != nil)
        #expect(helper?.networkdFile("60-touchline-eth0.network")?.contains("Address=192.0.2.10/24") == true)
        #expect(counted("applied") == 2 && counted("failed") == 0)
        host.stop()
    }

    /// G-11: what is taken back is applied again.
    @Test func aChangeThatIsTakenBackIsUndone() throws {
        let host = try makeHost()
        _ = try awaited { counted("applied") == 1 ? true : nil }
        _ = try change(["uplink": ["wired": ["addresses": ["192.0.2.10/24"], "vlan": 20]]]).get()
        #expect(helper?.fileNames.contains("60-touchline-vlan20.netdev") == true)
        var answered: Result<SettingsOutcome, SettingsFailure>?
        store?.takeBack(because: "no announcement") { answered = $0 }
        _ = try awaited { answered }.get()
        #expect(helper?.fileNames == [])
        #expect(helper?.takeActions().contains(.remove(vlan: InterfaceName(ofVLAN: 20))) == true)
        host.stop()
    }

    /// What the helper cannot do is not in force.
    @Test func aPlanThatCannotBeAppliedChangesNothing() throws {
        let host = try makeHost()
        _ = try awaited { counted("applied") == 1 ? true : nil }
        helper?.refuse(.reloadNetwork)
        let failure = try change(["uplink": ["dns": ["192.0.2.53"]]])
        guard case .failure(let error) = failure else {
            Issue.record("taken")
            return
        }
        #expect(error.status.errorString.contains("networkctl reload ended with 1"), "\(error)")
        #expect(store?.running[NetworkPlan.self].saysNothing == true && archive.kept == nil)
        #expect(helper?.fileNames == [] && counted("failed") == 1)
        #expect(events.last?.payload["problem"]?.string?.contains("reload") == true)
        host.stop()
    }

    @Test func aDryRunNeedsTheInterfaceAndTheHelper() throws {
        let host = try makeHost()
        guard case .failure(let error) = try change(["uplink": ["wired": ["interface": "eth7"]]]) else {
            Issue.record("taken")
            return
        }
        #expect(error.status.errorString.contains("/uplink/wired/interface is \"eth7\""), "\(error)")
        #expect(error.status.errorString.contains("there is eth0"))
        host.stop()
    }

    @Test func withoutAHelperNothingIsChanged() throws {
        let host = try makeHost(hasHelper: false)
        guard case .failure(let error) = try change(["uplink": ["dns": ["192.0.2.53"]]]) else {
            Issue.record("taken")
            return
        }
        #expect(error.status.errorString.contains("touchline-network.socket"), "\(error)")
        let status = try answer(host, "network-status")
        #expect(status["hasHelper"] == false && status["appliedAt"] == nil && events.isEmpty)
        host.stop()
    }

    @Test func statusSaysWhatTheHelperDid() throws {
        let host = try makeHost(["uplink": ["dns": ["192.0.2.53"]]])
        _ = try awaited { events.first }
        let status = try answer(host, "network-status")
        #expect(status["hasHelper"] == true && status["appliedAt"] != nil && status["problem"] == nil)
        host.stop()
    }

    @Test func theTimeAndItsSource() throws {
        let host = try makeHost()
        host.tick(at: SystemClock.monotonic())
        let before = try answer(host, "time")
        #expect(["rtc", "saved"].contains(before["source"]?.string ?? "") && before["boundUs"] == .null)
        clock = SystemClock.State(
            isSynchronised: true, offset: .microseconds(-120), bound: .milliseconds(3))
        host.tick(at: SystemClock.monotonic())
        let after = try answer(host, "time")
        #expect(after["source"] == "ntp" && after["offsetUs"] == -120 && after["boundUs"] == 3_000)
        #expect(after["since"]?.string != nil && after["server"] == .null)
        host.stop()
    }

    @Test func sourcesOfTheTime() {
        var time = Timekeeping(hasOwnClock: false)
        let (first, later) = (WallTime(nanoseconds: 1), WallTime(nanoseconds: 2))
        let free = SystemClock.State(isSynchronised: false, offset: .zero, bound: .seconds(16))
        time.observe(free, streamTells: false, at: first)
        #expect(time.source == .saved && time.since == first)
        time.observe(free, streamTells: true, at: later)
        #expect(time.source == .stream && time.since == later)
        time.observe(nil, streamTells: true, at: first)
        #expect(time.source == .stream && time.since == later && time.state == nil)
        #expect(Timekeeping(hasOwnClock: true).source == .rtc)
    }
}
