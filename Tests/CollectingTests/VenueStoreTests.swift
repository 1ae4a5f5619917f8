// SPDX-License-Identifier: Apache-2.0
import JSON
import Reports
import TestSupport
import Testing
import Time

@testable import Collecting

/// What every kind of store has to do with what venues tell.
@Suite struct VenueStoreTests {
    private static let later = "00000002-0123456789abcdef"

    private static func box(_ id: String, _ seconds: Int64, _ state: String) -> VenueBox {
        var box = VenueBox(id, heard: Samples.time(seconds))
        box.state = state
        return box
    }

    private static func sum(_ minute: Int64, _ bssid: String = "aa", packets: Int64, seconds: Int64 = 60) -> VenueSum {
        var sum = VenueSum(timeMs: Samples.noon.milliseconds + minute * 60_000, bssid: bssid, channel: 36)
        (sum.name, sum.packets, sum.seconds) = ("Gate", packets, seconds)
        (sum.signalSum, sum.signalSeconds) = (-60 * seconds, seconds)
        return sum
    }

    private static func batch(
        _ venue: String, _ sequence: Int64, boot: String = Samples.boot, at seconds: Int64 = 0,
        isWhole: Bool = true, _ change: (inout VenueReport) -> Void
    ) -> IncomingBatch {
        var report = VenueReport()
        change(&report)
        let incoming = IncomingReport(
            sequence: sequence, state: isWhole ? IncomingReport.Summary(state: "up") : nil, wall: Samples.time(seconds),
            text: #"{"sequence":\#(sequence)}"#, venue: report)
        return IncomingBatch(ReportSource(box: venue, boot: boot), [incoming], arrived: Samples.time(seconds))
    }

    private static func states(_ reader: StoreReader, _ venue: String) throws -> [String] {
        try reader.venues.boxes(venue, "", 100).map { text in
            let document = try JSONValue.parse(text)
            return "\(document["box"]?.string ?? "") \(document["state"]?.string ?? "")"
        }
    }

    @Test(arguments: StoreKind.allCases) func keepsTheNewestOfEachBox(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        _ = try writer.commit([
            Self.batch("arena", 2, at: 20) { $0.boxes = [Self.box("b-1", 20, "up"), Self.box("b-2", 19, "down")] },
            Self.batch("bowl", 1, at: 21) { $0.boxes = [Self.box("b-1", 5, "degraded")] },
            Samples.batch([1], of: "a box"),
        ])
        #expect(try Self.states(reader, "arena") == ["b-1 up", "b-2 down"])
        #expect(try Self.states(reader, "bowl") == ["b-1 degraded"])
        // It waited: what was told after it stays.
        let outcome = try writer.commit([
            Self.batch("arena", 1, at: 30) { $0.boxes = [Self.box("b-1", 10, "down"), Self.box("b-3", 10, "up")] }
        ])
        #expect(outcome[0].acknowledged == [1...1])
        #expect(try Self.states(reader, "arena") == ["b-1 up", "b-2 down", "b-3 up"])
        // Another start counts, and the one before it does not any more. The same again changes nothing.
        let other = try made.store.openWriter()
        let next = Self.batch("arena", 1, boot: Self.later, at: 40) { $0.boxes = [Self.box("b-1", 40, "down")] }
        #expect(try other.commit([next, next]).map(\.new) == [1, 0])
        _ = try other.commit([
            Self.batch("arena", 3, at: 39) { $0.boxes = [Self.box("b-1", 25, "up"), Self.box("b-4", 1, "up")] }
        ])
        #expect(try Self.states(reader, "arena") == ["b-1 down", "b-2 down", "b-3 up", "b-4 up"])
        let venues = try reader.venues.venues("", 10)
        #expect(venues.map(\.source.box) == ["arena", "bowl"] && venues.map(\.arrived) == [40, 21].map(Samples.time))
        #expect(venues[0].source.boot == Self.later && venues[0].text == #"{"sequence":1}"#)
        #expect(try reader.venues.venues("arena", 10).map(\.source.box) == ["bowl"])
        #expect(try reader.venues.boxes("arena", "b-2", 1).count == 1 && reader.venues.boxes("nowhere", "", 9).isEmpty)
        #expect(try reader.gaps("arena", 9).map(\.missing) == [0, 0])
    }

    /// Minutes are told again after a crash, also less of them than before; each counts once.
    @Test(arguments: StoreKind.allCases) func sumsAreAddedOnce(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        func send(_ sequence: Int64, _ minutes: [VenueSum], _ hours: [VenueSum] = []) throws {
            _ = try writer.commit([
                Self.batch("arena", sequence, isWhole: false) { ($0.minutes, $0.hours) = (minutes, hours) }
            ])
        }
        try send(1, [Self.sum(0, packets: 10), Self.sum(0, "bb", packets: 1), Self.sum(1, packets: 20)])
        try send(2, [Self.sum(0, packets: 10), Self.sum(1, packets: 25), Self.sum(2, packets: 30)])
        try send(3, [Self.sum(1, packets: 5, seconds: 10)], [Self.sum(0, packets: 66)])
        _ = try writer.commit([Self.batch("bowl", 1) { $0.minutes = [Self.sum(0, packets: 1_000)] }])
        func air(_ subject: AirQuery.Subject, _ span: Range<Int64>, _ resolution: Retention.Resolution) throws
            -> [AirRow]
        {
            let span = Samples.time(span.lowerBound * 60)..<Samples.time(span.upperBound * 60)
            return try reader.venues.air("arena", AirQuery(subject, span, resolution, limit: 9))
        }
        let points = try air(.accessPoint, 0..<60, .minute)
        #expect(points.map(\.bssid) == ["aa", "bb"] && points.map(\.sums.packets) == [65, 1])
        #expect(points[0].sums.seconds == 180 && points[0].sums.signal == -60 && points[0].name == "Gate")
        #expect(try air(.channel, 1..<2, .minute).map(\.sums.packets) == [25])
        #expect(try air(.channel, 0..<60, .hour).map(\.sums.packets) == [66])
        #expect(
            try reader.venues.air("nowhere", AirQuery(.channel, Samples.noon..<Samples.time(9), .hour, limit: 1)) == [])
        // They are the venue's: the region's own stay as they are.
        let all = AirQuery(.channel, WallTime(nanoseconds: 0)..<Samples.time(9_999), .minute, limit: 9)
        #expect(try reader.air(all).isEmpty)
    }

    /// What a venue's reporter reads of its own store.
    @Test(arguments: StoreKind.allCases) func statesAndMinutesAreReadInOrder(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        for number in 0..<5 as Range<Int64> {
            let air = [
                Samples.air("bb", 36, packets: 1, lost: 0, signal: -50),
                Samples.air("aa", 36, packets: 100 + number, lost: 0, signal: -60),
            ]
            for box in ["b", "a"] {
                let reports = [Samples.report(number + 1, air: air)]
                _ = try writer.commit([
                    IncomingBatch(
                        ReportSource(box: box, boot: Samples.boot), reports, arrived: Samples.time(number * 120))
                ])
            }
        }
        #expect(try reader.forward.states("", Samples.time(0), 9).map(\.source.box) == ["a", "b"])
        #expect(try reader.forward.states("a", Samples.time(0), 9).map(\.text) == [Samples.report(5).text])
        #expect(try reader.forward.states("", Samples.time(480), 9).isEmpty)
        var begin = WallTime(nanoseconds: 0)
        var found: [[Int64]] = []
        while let moment = try reader.forward.sums(.minute, begin..<Samples.time(400)) {
            #expect(moment.rows.map(\.bssid) == ["aa", "bb"] && moment.rows.map(\.channel) == [36, 36])
            found.append(
                [(moment.begin.nanoseconds - Samples.noon.nanoseconds) / 1_000_000_000] + moment.sums.map(\.packets))
            #expect(moment.sums[0].timeMs == moment.begin.milliseconds && moment.sums[0].signalSum == -1_200)
            begin = WallTime(nanoseconds: moment.begin.nanoseconds + 1_000_000)
        }
        #expect(found == [[0, 200, 2], [120, 202, 2], [240, 204, 2], [360, 206, 2]])
        #expect(try reader.forward.sums(.hour, WallTime(nanoseconds: 0)..<Samples.time(400))?.sums[1].packets == 10)
    }

    @Test(arguments: StoreKind.allCases) func sumsAreThrownAway(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        for venue in ["arena", "bowl"] {
            _ = try writer.commit([
                Self.batch(venue, 1) { $0.minutes = (0..<200).map { Self.sum($0, packets: 1) } }
            ])
        }
        let now = Samples.time(30 * 86_400 + 100 * 60)
        var portions = 0
        while try writer.keepUp(now) { portions += 1 }
        #expect((5...30).contains(portions), "\(portions)")
        let all = AirQuery(.channel, WallTime(nanoseconds: 0)..<Samples.time(99_999), .minute, limit: 9)
        #expect(try reader.venues.air("arena", all).map(\.sums.packets) == [100])
        #expect(try reader.venues.air("bowl", all).map(\.sums.packets) == [100])
    }

    /// Whoever has a token can make up ids: boxes beyond the bound are not kept, and those that are there go on.
    @Test(arguments: StoreKind.allCases) func boxesOfAVenueAreBounded(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        for part in 0..<20 as Range<Int64> {
            _ = try writer.commit([
                Self.batch("arena", part + 1) { report in
                    report.boxes = (0..<1_000).map { Self.box("b-\(part)-\($0)", 1, "up") }
                }
            ])
        }
        _ = try writer.commit([
            Self.batch("arena", 21) { $0.boxes = [Self.box("a new one", 2, "up"), Self.box("b-0-0", 2, "down")] }
        ])
        let first = try reader.venues.boxes("arena", "", 1).compactMap { try JSONValue.parse($0)["state"]?.string }
        #expect(first == ["down"])
    }
}
