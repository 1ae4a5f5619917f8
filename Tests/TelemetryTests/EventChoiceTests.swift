// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing
import Time
import Venue

@testable import Telemetry

@Suite struct EventChoiceTests {
    private static func event(
        _ sequence: UInt64, _ family: Event.Family, _ name: String, _ text: String = ""
    ) -> Event {
        Event(
            sequence: sequence, time: Monotonic(nanoseconds: 0), wallTime: WallTime(nanoseconds: 0), family: family,
            name: name, payload: ["text": .string(text)])
    }

    private let now = Monotonic(nanoseconds: 5_000_000_000)

    @Test func faultsAreWorthAReport() {
        var choice = EventChoice()
        let events = [
            Self.event(1, .service, "state"), Self.event(2, .session, "progress"), Self.event(3, .channels, "quality"),
            Self.event(4, .channels, "added"), Self.event(5, .network, "link"), Self.event(6, .data, "joined"),
            Self.event(7, .venue, "connection"), Self.event(8, .session, "fail"),
        ]
        let reports = choice.reports(of: events, dropped: 0, at: now)
        #expect(reports.count == 1 && reports[0].compactMap { $0["sequence"]?.integer } == [1, 3, 5, 7, 8])
        #expect(reports[0].first == events[0].json && choice.leftOut == 0)
        #expect(choice.reports(of: [Self.event(9, .session, "progress")], dropped: 0, at: now).isEmpty)
    }

    @Test func tooManyAreCounted() {
        var choice = EventChoice()
        let events = (1...300 as ClosedRange<UInt64>).map { Self.event($0, .service, "state") }
        let told = choice.reports(of: events, dropped: 3, at: now).flatMap { $0 }
        #expect(told.count == EventChoice.limit.atOnce)
        #expect(choice.leftOut == 3 + Int64(events.count - told.count))
        #expect(choice.reports(of: [events[0]], dropped: 0, at: now + .seconds(2)).count == 1)
    }

    @Test func longOnesGoInSeveralReports() {
        var choice = EventChoice()
        let long = String(repeating: "x", count: 30_000)
        let events = (1...5 as ClosedRange<UInt64>).map { Self.event($0, .service, "state", long) }
        let reports = choice.reports(of: events, dropped: 0, at: now)
        #expect(reports.map(\.count) == [2, 2, 1])
        let longer = Self.event(6, .service, "state", String(repeating: "x", count: 100_000))
        #expect(choice.reports(of: [longer], dropped: 0, at: now).map(\.count) == [1])
    }
}
