// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Foundation
import JSON
import Reports
import Statistics
import Testing
import Time

@testable import Telemetry

/// Reports as a reporter reads them, made on a real directory.
@Suite final class ReportMakingTests {
    private struct Counters {
        var packets: Int64 = 0
        var uptime: Int64 = 0

        static let statistics: [Statistic<Self>] = [
            .counter("packets", \.packets, "packets", "Packets.").known(as: "session_packets"),
            .counter("uptime", \.uptime, "s", "How long.").known(as: "session_uptime"),
        ]
    }

    private static let began = Monotonic(nanoseconds: 5_000_000_000)
    private static let wall = WallTime(rfc3339: "2026-11-21T12:00:00Z")

    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-reports-\(UUID())").path
    private let registry = StatisticRegistry()
    private var counters = Counters()

    init() {
        registry.attach(
            StatisticGroup("reception", labels: ["region": "main"], Counters.statistics) { [unowned self] in counters })
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private func making() -> ReportMaking {
        var random = SystemRandomNumberGenerator()
        let spool = Spool(SpoolDirectory(directory), at: Moment(Self.began, Self.wall), &random)
        return ReportMaking(box: "box-1", spool: spool, began: Self.began)
    }

    private func parts(after seconds: Int64, _ members: [String: JSONValue] = [:]) -> StateParts {
        StateParts(
            moment: Moment(Self.began + .seconds(seconds), Self.wall), members: members, snapshot: registry.snapshot(),
            sessions: [("main", "Arena")])
    }

    /// All that waits, as the reporter gets it.
    private func reports(_ making: ReportMaking) throws -> [Report] {
        let batch = try #require(making.spool.summary(octets: 1 << 20, at: Self.began).backlog)
        let lines = ReportBatch.octets(of: batch.records.map(\.payload))
        let read = try ReportBatch(parsing: lines, of: "box-1")
        #expect(read.refused.isEmpty && read.unreadable.isEmpty && read.boot == making.spool.boot.description)
        #expect(read.reports.map(\.sequence) == batch.records.map(\.sequence))
        return read.reports
    }

    @Test func statesAndEventsAreCountedTogetherAndCoverTheirOwnTime() throws {
        let making = making()
        counters.packets = 7
        making.make(parts(after: 10, ["wifi": [["interface": "wlan0"]]]))
        making.make([["type": "service.state"]], at: Moment(Self.began + .seconds(12), nil))
        counters.packets = 9
        making.make(parts(after: 25))
        let reports = try reports(making)
        #expect(reports.map(\.sequence) == [1, 2, 3] && reports.map(\.kind) == [.state, .event, .state])
        #expect(reports.map(\.coversMs) == [10_000, 12_000, 15_000])
        #expect(reports.map(\.monotonicMs) == [15_000, 17_000, 30_000])
        #expect(reports.map(\.wall) == [Self.wall, nil, Self.wall])
        #expect(reports[0].document["wifi"] == [["interface": "wlan0"]])
        #expect(reports[1].document["events"] == [["type": "service.state"]])
        #expect(reports[0].document.at("/statistics/reception/0/values/packets") == [7, 7])
        #expect(reports[2].document.at("/statistics/reception/0/values/packets") == [9, 2])
        #expect(
            reports[2].document["sessions"]
                == [["region": "main", "channel": "Arena", "session_packets": 9, "session_uptime": 0]])
    }

    /// Nothing that was counted is lost with a report that would be too long.
    @Test func whatIsTooLongIsToldLater() throws {
        let making = making()
        counters.packets = 7
        let text = JSONValue.string(String(repeating: "x", count: Report.mostOctets))
        making.make(parts(after: 10, ["accessPoints": text]))
        making.make([text], at: Moment(Self.began + .seconds(11), nil))
        counters.packets = 9
        making.make(parts(after: 20))
        let reports = try reports(making)
        #expect(reports.map(\.sequence) == [1] && reports.map(\.coversMs) == [20_000])
        #expect(reports[0].document.at("/statistics/reception/0/values/packets") == [9, 9])
        #expect(making.spool.counters.tooLong == 3)
    }

    /// SVM-128: what is received by the radio stands beside the radio.
    @Test func aRadioThatIsAssociatedHasWhatTheSessionHas() throws {
        let making = making()
        counters.uptime = 90
        let radios: JSONValue = [["interface": "wlan0", "bssid": "02:00:00:00:00:01"], ["interface": "wlan1"]]
        making.make(parts(after: 10, ["wifi": radios]))
        let report = try #require(reports(making).first).document
        #expect(report.at("/wifi/0/session_uptime") == 90 && report.at("/wifi/0/interface") == "wlan0")
        #expect(report.at("/wifi/0/announcement_session_id") == .null)
        #expect(report.at("/wifi/0/session_link_indicator") == .null)
        #expect(report.at("/wifi/1") == ["interface": "wlan1"])
    }
}
