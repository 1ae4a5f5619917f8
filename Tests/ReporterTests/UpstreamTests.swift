// SPDX-License-Identifier: Apache-2.0
import Collecting
import Forwarding
import Foundation
import JSON
import Provisioning
import Reports
import TestSupport
import Testing
import Time
import Transfer
import Venue

@testable import Reporter

@Suite struct UpstreamTests {
    private static let upstream: JSONValue = [
        "url": "https://region.example/v1/boxes/{box}/reports", "token": "abc", "venue": "arena 1", "intervalS": 30,
    ]

    private static func configuration(_ upstream: JSONValue) throws(Status) -> ReporterConfiguration {
        let document: JSONValue = [
            "boxToken": "0123456789abcdef01234567", "operatorToken": "x0123456789abcdef01234567", "upstream": upstream,
        ]
        return try ReporterConfiguration(document.octets(), of: "r.json")
    }

    @Test func aRegionIsRead() throws {
        let read = try #require(try Self.configuration(Self.upstream).upstream)
        #expect(read.interval == .seconds(30) && read.venue == "arena 1")
        #expect(
            read.server
                == ReportUpload.Server(
                    url: "https://region.example/v1/boxes/arena%201/reports", token: "abc", trust: .system,
                    mayBeNear: false))
        #expect(try Self.configuration(.null).upstream == nil)
        let bare = try #require(
            try Self.configuration(["url": "http://region.example/{box}", "venue": "a"]).upstream)
        #expect(bare.server?.token == nil && bare.interval == .seconds(10))
    }

    @Test(
        arguments: [
            (["url": "http://region.example/{box}"], "/upstream/url"), (["url": ""], "/upstream/url"),
            (["url": "https://region.example/reports"], "{box}"), (["venue": ""], "/upstream/venue"),
            (["venue": .null], "/upstream/venue"), (["intervalS": 0], "/upstream/intervalS"),
            (["pinnedKey": "x"], "/upstream/pinnedKey"), (["region": 1], "/upstream/region"),
            (["token": "a b"], "/upstream/token"),
        ] as [(JSONValue, String)]) func everythingElseIsRefused(patch: JSONValue, part: String)
    {
        let status = thrown(Status.self) { try Self.configuration(Self.upstream.merging(patch: patch)) }
        #expect(status?.errorString.contains(part) == true, "\(status?.errorString ?? "taken")")
        #expect(status?.errorString.contains("a b") != true)
    }

    // MARK: The place

    @Test func thePlaceIsKeptForItsRegionOnly() throws {
        let directory = FileManager.default.temporaryDirectory.path + "/touchline-place-\(UUID())"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody
        let path = directory + "/place.json"
        var place = try UpstreamPlace.read(path, of: "one")
        #expect(place == UpstreamPlace(subject: "one") && place[.minute] == WallTime(nanoseconds: 0))
        place[.minute] = WallTime(nanoseconds: 120_000_000_000)
        place[.hour] = WallTime(nanoseconds: 3_600_000_000_000)
        try place.write(path)
        #expect(try UpstreamPlace.read(path, of: "one") == place)
        #expect(try UpstreamPlace.read(path, of: "two").minute == 0)
        let octets = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        for count in 0..<octets.count {
            try Data(octets.prefix(count)).write(to: URL(fileURLWithPath: path))
            #expect(try UpstreamPlace.read(path, of: "one").minute == 0)
        }
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            try Data(mutation.damage(octets)).write(to: URL(fileURLWithPath: path))
            let read = try UpstreamPlace.read(path, of: "one")
            #expect((0...9_000_000_000_000).contains(read.minute))
        }
    }

    // MARK: A round

    private struct Made {
        let store: ReportStore
        let path = FileManager.default.temporaryDirectory.path + "/touchline-round-\(UUID()).db"

        init() throws {
            _ = try ReporterStore(path)
            store = .sqlite(path)
        }

        func remove() {
            // Some of them may not be there.
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
    }

    private static func time(_ seconds: Int64) -> WallTime {
        WallTime(nanoseconds: 1_795_780_800_000_000_000 + seconds * 1_000_000_000)
    }

    private static func send(
        _ writer: StoreWriter, _ box: String, _ sequence: UInt64, _ state: String, _ seconds: Int64
    )
        throws
    {
        let report = Report(
            box: box, boot: "00000001-0123456789abcdef", sequence: sequence, kind: .state, monotonicMs: 1,
            wall: time(seconds), coversMs: 10_000,
            members: [
                "service": ["state": .string(state)],
                "accessPoints": [["bssid": "02:00", "channel": 36, "packets": 10, "seconds": 10]],
            ])
        _ = try writer.commit([
            IncomingBatch(
                ReportSource(box: box, boot: report.boot), [IncomingReport(report)], arrived: time(seconds))
        ])
    }

    /// States that changed, the minutes that are over, and where the next round goes on.
    @Test func aRoundHasWhatTheRegionLacks() throws {
        let made = try Made()
        defer { made.remove() }
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        for number in 0..<300 as Range<Int64> { try Self.send(writer, "b-\(number)", 1, "up", number) }
        var (digest, heard) = (VenueDigest(), WallTime(nanoseconds: 0))
        let now = Monotonic(nanoseconds: 9_000_000_000_000)
        func round(_ seconds: Int64, from place: UpstreamPlace) throws -> UpstreamRound {
            try UpstreamRound(
                reader.forward, &digest, from: place, heard: &heard, due: now, at: now + .seconds(seconds),
                wall: Self.time(seconds))
        }
        let first = try round(300, from: UpstreamPlace(subject: "r"))
        // The minute that ended just now may still get something.
        #expect(first.report.boxes.count == 300 && first.report.minutes.map(\.packets) == [600, 600, 600, 600])
        #expect(first.report.hours.isEmpty && !first.hasMore && heard == Self.time(299))
        #expect(first.place[.minute] == Self.time(240))
        let parts = first.reports(digest, alerts: [["text": "x"]], interval: .seconds(7))
        let overview = parts.last?.overview
        #expect(overview?.states == [.init("up", 300)] && overview?.alerts.count == 1 && overview?.intervalS == 7)
        // It was not acknowledged: the next one has it all again.
        #expect(try round(301, from: UpstreamPlace(subject: "r")).report.boxes.count == 300)
        digest.told(first.report.boxes, at: now + .seconds(302))
        try Self.send(writer, "b-7", 2, "down", 310)
        try Self.send(writer, "b-8", 2, "up", 311)
        let second = try round(320, from: first.place)
        #expect(second.report.boxes.map(\.box) == ["b-7"] && second.report.boxes[0].state == "down")
        #expect(second.report.minutes.map(\.packets) == [600] && second.place[.minute] == Self.time(300))
        // Noon was the beginning of an hour.
        #expect(try round(3_700, from: second.place).report.hours.map(\.packets) == [3_020])
    }
}
