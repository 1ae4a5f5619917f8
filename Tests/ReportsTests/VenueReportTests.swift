// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing
import Time

@testable import Reports

@Suite struct VenueReportTests {
    private static let heard = WallTime(nanoseconds: 1_795_780_800_250_000_000)

    private static func box(_ number: Int) -> VenueBox {
        var box = VenueBox("box-\(number)", heard: heard)
        (box.name, box.group, box.version, box.state) = ("Bar \(number)", "north", "1.0", "degraded")
        (box.reasons, box.accessPoint) = (["noChannels"], "Gate 4")
        (box.linkIndicator, box.signalDbm, box.packets, box.lost) = (7, -61, 5_700, 3)
        return box
    }

    private static func sum(_ number: Int) -> VenueSum {
        var sum = VenueSum(timeMs: Int64(number) * 60_000, bssid: "02:00:00:00:00:01", channel: 36)
        (sum.name, sum.ssid, sum.packets, sum.lost, sum.windows) = ("Gate 4", "Venue", 9, 1, 5)
        (sum.failedWindows, sum.seconds, sum.signalSum, sum.signalSeconds) = (2, 60, -3_660, 60)
        return sum
    }

    private static var sample: VenueReport {
        var report = VenueReport()
        report.boxes = [box(1), VenueBox("bare", heard: heard)]
        report.minutes = [sum(1), sum(2)]
        report.hours = [sum(60)]
        var overview = VenueReport.Overview()
        overview.states = [.init("down", 3), .init("up", 997)]
        overview.alerts = [["id": "a1", "text": "Box 7 is down"]]
        (overview.intervalS, overview.version) = (30, "1.2")
        report.overview = overview
        return report
    }

    private static func report(_ venue: VenueReport, _ sequence: UInt64 = 1) -> Report {
        Report(
            box: "arena", boot: Report.sampleBoot, sequence: sequence, kind: .venue, monotonicMs: 1, wall: heard,
            coversMs: 1, members: venue.members)
    }

    @Test func whatIsWrittenIsRead() throws {
        let read = try Report(parsing: Self.report(Self.sample).octets)
        #expect(read.kind == .venue && read.venue == Self.sample)
        #expect(Report.sample().venue == nil)
        let bare = try Report(parsing: Self.report(VenueReport()).octets)
        #expect(bare.venue == VenueReport())
        let short = try JSONValue.parse(read.withoutLists)
        #expect(short["boxes"] == nil && short["hours"] == nil && short["states"]?.array?.count == 2)
        #expect(VenueReport.Overview(reading: short) == Self.sample.overview)
    }

    @Test func aBoxIsTakenFromItsState() {
        let box = VenueBox("box-1", heard: Self.heard, state: Report.sample().document)
        #expect(box.name == "Gate 4" && box.state == "down" && box.reasons == ["noChannels"] && box.lost == 3)
        #expect(box.linkIndicator == nil && box.packets == 0)
        let document: JSONValue = [
            "identity": ["name": "a\u{7}b", "group": 7, "version": .string(String(repeating: "ä", count: 400))],
            "wifi": [["interface": "p2p"], ["linkIndicator": 99, "signalDbm": 9_999, "bssid": "02:00"]],
            "accessPoints": [["packets": .integer(.max), "lost": -4], ["packets": .integer(.max)], "x"],
            "service": ["reasons": [1, "b"]],
        ]
        let odd = VenueBox("box-2", heard: Self.heard, state: document)
        #expect(odd.name == "ab" && odd.group == nil && odd.version?.unicodeScalars.count == 256)
        #expect(odd.linkIndicator == 10 && odd.signalDbm == nil && odd.accessPoint == "02:00" && odd.reasons == ["b"])
        #expect(odd.packets == 2 << 40 && odd.lost == 0)
        #expect(VenueBox.kind.problems(of: odd.json).isEmpty)
        #expect(VenueBox("b", heard: Self.heard, state: .null).json.object?.count == 2)
    }

    /// Every part is a report that is read, none is too long, and together they say the same.
    @Test func longOnesAreDivided() throws {
        var whole = Self.sample
        whole.boxes = (0..<3_000).map { number in
            var box = Self.box(number)
            if number % 100 == 0 {
                box.name = String(repeating: "\"", count: 256)
                box.group = String(repeating: "😀", count: 256)
                box.reasons = Array(repeating: String(repeating: "\\", count: 64), count: 32)
            }
            return box
        }
        whole.minutes = (0..<2_500).map(Self.sum)
        whole.overview?.alerts = (0..<300).map { ["text": .string(String(repeating: "x", count: $0 * 10))] }
        let parts = whole.divided()
        var together = VenueReport()
        for (index, part) in parts.enumerated() {
            let octets = Self.report(part, UInt64(index + 1)).octets
            #expect(octets.count <= Report.mostOctets, "\(index): \(octets.count)")
            #expect(try Report(parsing: octets).venue == part)
            together.boxes += part.boxes
            together.minutes += part.minutes
            together.hours += part.hours
            #expect((part.overview == nil) == (index < parts.count - 1))
        }
        #expect(together.boxes == whole.boxes && together.minutes == whole.minutes && together.hours == whole.hours)
        let alerts = parts.last?.overview?.alerts.count ?? 0
        #expect(alerts > 50 && alerts <= VenueReport.mostAlerts)
        #expect(VenueReport().divided().isEmpty)
        #expect(Self.sample.divided() == [Self.sample])
    }

    @Test(
        arguments: [
            (["boxes": [["heard": "2026-11-27T08:00:00Z"]]], "/boxes/0/box"),
            (["boxes": [["box": "b"]]], "/boxes/0/heard"),
            (["boxes": [["box": "b", "heard": "today"]]], "/boxes/0/heard"),
            (
                ["boxes": [["box": "b", "heard": "2026-11-27T08:00:00Z", "linkIndicator": 11]]],
                "/boxes/0/linkIndicator"
            ),
            (["boxes": "all"], "/boxes"), (["minutes": [["bssid": "x"]]], "/minutes/0/timeMs"),
            (["hours": [["timeMs": -1, "bssid": "x"]]], "/hours/0/timeMs"),
            (["minutes": [["timeMs": 1, "bssid": ""]]], "/minutes/0/bssid"),
            (["minutes": [["timeMs": 1, "bssid": "x", "packets": -1]]], "/minutes/0/packets"),
            (["states": [["state": "up"]]], "/states/0/boxes"), (["alerts": ["down"]], "/alerts/0"),
            (["intervalS": 0], "/intervalS"),
        ] as [(JSONValue, String)]) func everythingElseIsRefused(patch: JSONValue, place: String)
    {
        let octets = Self.report(Self.sample).document.merging(patch: patch).octets()
        let error = thrown(ReportError.self) { try Report(parsing: octets) }
        #expect(error?.description.hasPrefix(place) == true, "\(error?.description ?? "taken")")
    }

    @Test func tooManyAreRefused() {
        var report = VenueReport()
        report.minutes = (0...VenueReport.mostSums).map { VenueSum(timeMs: Int64($0), bssid: "x", channel: 1) }
        let error = thrown(ReportError.self) { try Report(parsing: Self.report(report).octets) }
        #expect(error?.description.hasPrefix("/minutes") == true)
    }

    @Test func everyTruncationThrows() {
        let octets = Self.report(Self.sample).octets
        for count in 0..<octets.count {
            #expect(thrown(ReportError.self) { try Report(parsing: octets.prefix(count)) } != nil)
        }
    }

    @Test func noMutationTraps() {
        let octets = Self.report(Self.sample).octets
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            guard let venue = try? Report(parsing: mutation.damage(octets)).venue else { continue }
            let again = Self.report(venue).octets
            guard again.count <= Report.mostOctets else { continue }
            #expect(throws: Never.self) { _ = try Report(parsing: again) }
        }
    }
}
