// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Time

@testable import Collecting

/// What both kinds of store do for whoever tells alerts, and sums by box.
@Suite struct AlertStoreTests {
    @Test(arguments: StoreKind.allCases) func alertsAndMessagesAreKeptTogether(kind: StoreKind) throws {
        let made = try kind.make()
        let keeper = try made.store.openKeeper()
        #expect(try keeper.lead() != nil && keeper.lead() == keeper.lead())
        let open = (0..<3).map { KeptAlert(id: "a-\($0)", ended: nil, text: "{\"n\":\($0)}") }
        let messages = open.flatMap { alert in
            ["webhook", "syslog"].map { AlertMessage(target: $0, text: alert.text) }
        }
        #expect(try keeper.keep(open, messages, 100) == 0)
        #expect(try keeper.open() == open.map(\.text))
        let ended = KeptAlert(id: "a-1", ended: Samples.time(5), text: "{\"over\":1}")
        #expect(try keeper.keep([ended], [], 100) == 0)
        #expect(try keeper.open() == [open[0].text, open[2].text])
        let waiting = try keeper.waiting("webhook", 2)
        #expect(waiting.map(\.text) == [open[0].text, open[1].text] && waiting.allSatisfy { $0.number > 0 })
        try keeper.told(waiting.map(\.number))
        #expect(try keeper.waiting("webhook", 9).map(\.text) == [open[2].text])
        #expect(try keeper.waiting("syslog", 9).count == 3 && keeper.waiting("other", 9).isEmpty)
        // Of too many, the oldest go.
        #expect(try keeper.keep([], (0..<9).map { AlertMessage(target: "webhook", text: "\($0)") }, 8) == 5)
        #expect(try keeper.waiting("syslog", 9).isEmpty && keeper.waiting("webhook", 9).count == 8)
        let reader = try made.store.openReader()
        func ids(_ query: AlertQuery) throws -> [String] { try reader.alerts(query).map(\.id) }
        #expect(try ids(AlertQuery(.all, limit: 9)) == ["a-2", "a-1", "a-0"])
        #expect(try ids(AlertQuery(.open, limit: 9)) == ["a-2", "a-0"])
        #expect(try ids(AlertQuery(.ended, limit: 9)) == ["a-1"])
        #expect(try ids(AlertQuery(.all, after: "a-2", limit: 1)) == ["a-1"])
        #expect(try reader.alerts(AlertQuery(.ended, limit: 1)) == [ended])
        try keeper.forget(Samples.time(5))
        #expect(try ids(AlertQuery(.all, limit: 9)).count == 3)
        try keeper.forget(Samples.time(6))
        #expect(try ids(AlertQuery(.all, limit: 9)) == ["a-2", "a-0"])
    }

    @Test(arguments: StoreKind.allCases) func statesComeInTheOrderOfTheirArrival(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, keeper) = (try made.store.openWriter(), try made.store.openKeeper())
        for number in 0..<7 as Range<Int64> {
            _ = try writer.commit([Samples.batch([1], of: "b-\(number)", at: (number * 3) % 7)])
        }
        _ = try writer.commit([Samples.batch([2], of: "b-0", at: 10)])
        var (place, boxes): (LatestPlace, [String]) = (LatestPlace(arrived: .min, sender: .min), [])
        while true {
            let states = try keeper.states(place, 2)
            boxes += states.map(\.1.source.box)
            guard let last = states.last else { break }
            place = last.0
            #expect(last.1.text?.isEmpty == false && last.1.summary.state == "up")
        }
        #expect(boxes == ["b-5", "b-3", "b-1", "b-6", "b-4", "b-2", "b-0"])
        #expect(place.arrived == Samples.time(10).milliseconds)
    }

    @Test(arguments: StoreKind.allCases) func sumsOfABox(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        func send(_ box: String, _ sequence: Int64, at seconds: Int64, _ air: [AirCount]) throws {
            let source = ReportSource(box: box, boot: Samples.boot)
            let batch = IncomingBatch(source, [Samples.report(sequence, air: air)], arrived: Samples.time(seconds))
            for _ in 0..<2 { _ = try writer.commit([batch]) }
        }
        let (one, two) = (
            Samples.air("x", 1, packets: 100, lost: 3, signal: -60),
            Samples.air("y", 6, packets: 50, lost: 0, signal: -70)
        )
        try send("b-1", 1, at: 0, [one])
        try send("b-1", 2, at: 59, [one, two])
        try send("b-1", 3, at: 125, [two])
        try send("b-2", 1, at: 0, [two])
        try send("b-3", 1, at: 0, [])
        func sums(_ box: String, _ from: Int64, _ to: Int64, _ resolution: Retention.Resolution) throws -> [BoxSums] {
            try reader.boxSums(BoxSumsQuery(box, Samples.time(from)..<Samples.time(to), resolution))
        }
        let minutes = try sums("b-1", 0, 3_600, .minute)
        #expect(minutes.map(\.time) == [Samples.time(0), Samples.time(120)])
        #expect(minutes.map(\.sums.packets) == [250, 50] && minutes.map(\.sums.lost) == [6, 0])
        #expect(minutes.map(\.sums.signal) == [-63, -70] && minutes.map(\.sums.seconds) == [30, 10])
        #expect(try sums("b-1", 60, 120, .minute).isEmpty && sums("b-1", 30, 60, .minute).count == 1)
        let hours = try sums("b-1", -7_200, 7_200, .hour)
        #expect(hours.map(\.time) == [Samples.time(0)] && hours[0].sums.packets == 300)
        #expect(try sums("b-3", 0, 3_600, .minute).isEmpty && sums("none", 0, 3_600, .minute).isEmpty)
        // They go with those of access points.
        let later = WallTime(nanoseconds: Samples.noon.nanoseconds + Nanoseconds.seconds(31 * 86_400).count)
        while try writer.keepUp(later) {}
        #expect(try sums("b-1", 0, 3_600, .minute).isEmpty && sums("b-1", 0, 3_600, .hour).count == 1)
    }

    @Test(.enabled(if: PostgresServer.isThere)) func oneReporterTellsAtATime() throws {
        let made = try StoreKind.postgres.make()
        let first = try made.store.openKeeper()
        let term = try #require(try first.lead())
        do {
            let second = try made.store.openKeeper()
            #expect(try second.lead() == nil && second.lead() == nil)
            #expect(thrown(StoreError.self) { try second.waiting("webhook", 1) }?.kind == .other)
            #expect(thrown(StoreError.self) { try second.keep([], [], 1) }?.kind == .other)
        }
        #expect(try first.lead() == term)
    }

    @Test(.enabled(if: PostgresServer.isThere)) func anotherReporterGoesOn() throws {
        let made = try StoreKind.postgres.make()
        var first: AlertKeeper? = try made.store.openKeeper()
        let term = try #require(try first?.lead())
        let second = try made.store.openKeeper()
        #expect(try second.lead() == nil)
        _ = try first?.keep([KeptAlert(id: "a", ended: nil, text: "{}")], [AlertMessage(target: "t", text: "{}")], 9)
        first = nil
        var next: Int64?
        for _ in 0..<100 where next == nil {
            next = try second.lead()
            if next == nil { usleep(20_000) }  // the server sees a moment later that the connection is gone
        }
        #expect(next != nil && next != term)
        #expect(try second.open() == ["{}"] && second.waiting("t", 9).count == 1)
    }
}
