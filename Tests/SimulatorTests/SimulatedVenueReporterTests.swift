// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Reports
import Simulating
import Testing
import Time

@testable import Simulator

/// A venue's reporter against a region that is a few lines.
struct SimulatedVenueReporterTests {
    private static let wall = WallTime(nanoseconds: 1_800_000_030_000_000_000)
    private static let start = Monotonic(nanoseconds: 1_000_000_000_000)

    private static func make(_ stories: [SimulatedStory] = []) -> SimulatedVenueReporter {
        SimulatedVenueReporter(
            6, SimulatedVenue(boxCount: 600, seed: 5, stories: stories), interval: .seconds(10),
            refresh: .seconds(60), seed: 3, at: start, wall: wall)
    }

    /// - Parameter answer: of the number of a request.
    /// - Returns: the reports that came, in their order.
    private static func run(
        _ reporter: inout SimulatedVenueReporter, seconds: Int64, answer: (UInt64) -> UploadAnswer?
    ) throws -> [Report] {
        var now = start
        var reports: [Report] = []
        while now < start + .seconds(seconds) {
            let (actions, next) = reporter.actions(at: now, isMaking: true)
            for case .send(let request, let lines) in actions {
                let batch = try ReportBatch(parsing: ReportBatch.octets(of: lines), of: "venue-007")
                #expect(batch.reports.count == lines.count && batch.refused.isEmpty && batch.unreadable.isEmpty)
                reports += batch.reports
                let boot = batch.boot.flatMap { BootID($0) } ?? BootID(ordinal: 0, nonce: 0)
                let judged = UploadAnswer.judged(boot: boot, acknowledged: .all, refused: .none, retryAfter: nil)
                now = now + .milliseconds(50)
                reporter.answered(request, answer(request) ?? judged, at: now)
            }
            if actions.isEmpty { now = max(now + .milliseconds(1), next) }
        }
        return reports
    }

    @Test func everyBoxAndMinuteIsTold() throws {
        var reporter = Self.make()
        let reports = try Self.run(&reporter, seconds: 300) { _ in nil }
        #expect(reports.map(\.sequence) == Array(1...UInt64(reports.count)) && reporter.pendingCount == 0)
        #expect(reporter.counters.acknowledged == reports.count && reporter.counters.failures == 0)
        let venues = reports.compactMap(\.venue)
        #expect(Set(venues.flatMap(\.boxes).map(\.box)).count == 600)
        let minutes = venues.flatMap(\.minutes)
        #expect(Set(minutes.map(\.timeMs)).count == 4 && minutes.count == 4 * 24)
        #expect(minutes.allSatisfy { $0.seconds == 25 * 60 && (800_000...855_100).contains($0.packets) })
        #expect(reporter.counters.packets == minutes.reduce(0) { $0 + $1.packets })
        let newest = Dictionary(venues.flatMap(\.boxes).map { ($0.box, $0.heard) }, uniquingKeysWith: { $1 })
        #expect(reporter.heardMsOfAll == newest.values.reduce(0) { $0 + $1.nanoseconds / 1_000_000 })
        #expect(venues.last?.overview?.states.reduce(0) { $0 + $1.boxes } == 600)
        let lags = reporter.takeLags()
        #expect(lags.count == reporter.counters.boxes && lags.allSatisfy { $0 > .zero && $0 < .seconds(11) })
        // All at first, and then each about once a minute.
        #expect((600 * 4...600 * 7).contains(reporter.counters.boxes))
    }

    /// While the region is away nothing piles up; afterwards it is told what is then, and the minutes that it missed.
    @Test func anOutagePilesNothingUp() throws {
        var reporter = Self.make()
        let reports = try Self.run(&reporter, seconds: 900) { $0 < 8 ? .failed(retryAfter: nil) : nil }
        #expect(reporter.counters.failures == 7 && reporter.pendingCount == 0)
        #expect(reporter.counters.acknowledged == reporter.counters.made)
        let minutes = Set(reports.compactMap(\.venue).flatMap(\.minutes).map(\.timeMs))
        #expect(minutes.count == 14)
    }
}
