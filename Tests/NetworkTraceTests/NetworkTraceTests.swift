// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Foundation
import Hosting
import JSON
import Journal
import Settings
import System
import TestSupport
import Testing
import Time
import Venue

@testable import NetworkTrace

/// The feature with tables that a test writes in the kernel's place.
@Suite final class NetworkTraceTests {
    private let tables = FileManager.default.temporaryDirectory.appending(path: "tables-\(UUID())").path
    private var events: [String] = []
    private let lines = LogLines()
    private var store: SettingsStore?

    deinit { try? FileManager.default.removeItem(atPath: tables) }  // a leftover in /tmp hurts nobody

    private func write(groups: [String], queries: Int) throws {
        try DurableFile.makeDirectory(tables + "/dev_snmp6")
        let head = "Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter\n2\teth0      :     3      V3\n"
        let rows = groups.map { "\t\t\t\t\($0)     1 0:00000000\t\t0\n" }.joined()
        try DurableFile.create(tables + "/igmp", with: Array((head + rows).utf8))
        let six = "2    eth0            ff0500000000000000000000000000fb     1 00000005 250\n"
        try DurableFile.create(tables + "/igmp6", with: Array(six.utf8))
        try DurableFile.create(tables + "/dev_snmp6/eth0", with: Array("Icmp6InGroupMembQueries \t\(queries)\n".utf8))
    }

    private func makeHost(_ settings: JSONValue = [:]) throws -> FeatureHost {
        var context = try FeatureContext.testing(
            of: NetworkTrace.self, settings: settings,
            journal: Journal(
                levels: Journal.Levels(level: .notice, subsystems: [:]),
                write: { [lines] in lines.write($0) })
        ) { [unowned self] name, _ in events.append(name) }
        context.provide(NetworkDebugWindow())
        context.provide(NetworkTrace.Sources(channels: { ["239.255.77.255": "Pitch"] }, tables: tables))
        store = context.settings
        let host = try FeatureHost([NetworkTrace.self], context)
        host.start()
        return host
    }

    private func answer(_ host: FeatureHost, _ name: String) throws -> JSONValue {
        let catalogue = Catalogue(FeatureDeclarations([NetworkTrace.self]).commands)
        var answered: Result<JSONValue, Status>?
        _ = host.handle(try CommandRequest(command: name, in: catalogue)) { answered = $0 }
        let value = try #require(answered).get()
        #expect(try #require(catalogue[name]).answer.kind.problems(of: value).isEmpty, "\(value.text())")
        return value
    }

    @Test func theGroupsAreShown() throws {
        try write(groups: ["FF4DFFEF", "010000E0"], queries: 4)
        let host = try makeHost()
        let table = try answer(host, "igmp")
        #expect(table["groups"]?.array?.map { $0["group"] } == ["239.255.77.255", "224.0.0.1", "ff05::fb"])
        #expect(table.at("/groups/0/channel") == "Pitch" && table.at("/groups/1/channel") == nil)
        #expect(table.at("/groups/0/querier") == "V3" && table.at("/groups/2/dueMs") == 2_500)
        #expect(table["mldQueries"] == 4 && table["tracedForS"] == nil)
        host.tick(at: SystemClock.monotonic())
        #expect(try answer(host, "igmp-trace") == ["changes": []], "nobody asked for a trace")
    }

    @Test func changesAreTracedForAWhile() throws {
        try write(groups: ["010000E0"], queries: 4)
        let host = try makeHost(["network": ["debug": ["igmpTrace": true, "minutes": 2]]])
        let now = SystemClock.monotonic()
        host.tick(at: now)
        #expect(try answer(host, "igmp-trace")["tracedForS"]?.integer ?? 0 > 100)
        try write(groups: ["010000E0", "FF4DFFEF"], queries: 5)
        host.tick(at: now + .seconds(1))
        try write(groups: ["010000E0"], queries: 5)
        host.tick(at: now + .seconds(2))
        let trace = try answer(host, "igmp-trace")["changes"]?.array ?? []
        #expect(trace.map { $0["what"] } == ["queryHeard", "joined", "left"])
        #expect(trace.map { $0["group"] } == [nil, "239.255.77.255", "239.255.77.255"])
        let told = lines.all.filter { $0.contains("multicast groups changed") }
        #expect(told.count == 3)
        #expect(told[1] == "<5>network: multicast groups changed what=joined interface=eth0 group=239.255.77.255\n")
        host.tick(at: now + .seconds(121))
        #expect(events == ["network.debugEnded"])
        try write(groups: [], queries: 9)
        host.tick(at: now + .seconds(122))
        #expect(try answer(host, "igmp-trace")["changes"]?.array?.count == 3, "what was traced stays")
        #expect(events.count == 1)
    }

    /// A change of the settings begins it, and begins it anew; another change of the section does not.
    @Test func theSettingsBeginIt() throws {
        try write(groups: ["010000E0"], queries: 0)
        let host = try makeHost()
        func set(_ patch: JSONValue) throws {
            var outcome: Result<SettingsOutcome, SettingsFailure>?
            store?.change(.merge(["network": patch]), from: .http) { outcome = $0 }
            _ = try #require(outcome).get()
        }
        try set(["debug": ["igmpTrace": true]])
        #expect(try answer(host, "igmp")["tracedForS"]?.integer ?? 0 > 1_700)
        host.tick(at: SystemClock.monotonic())
        try write(groups: [], queries: 0)
        host.tick(at: SystemClock.monotonic())
        #expect(try answer(host, "igmp-trace")["changes"]?.array?.count == 1)
        try set(["wifiApInfo": []])
        try set(["rejoinAfterMs": 900])
        #expect(try answer(host, "igmp-trace")["changes"]?.array?.count == 1)
        try set(["debug": ["minutes": 5]])
        #expect(try answer(host, "igmp-trace")["changes"] == [])
        try set(["debug": ["igmpTrace": false]])
        #expect(try answer(host, "igmp")["tracedForS"] == nil && events.isEmpty)
    }

    /// Tables that are not there are empty ones.
    @Test func aKernelThatHidesThem() throws {
        let host = try makeHost(["network": ["debug": ["igmpTrace": true]]])
        host.tick(at: SystemClock.monotonic())
        #expect(try answer(host, "igmp")["groups"] == [])
    }
}
