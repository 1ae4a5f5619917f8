// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Reports
import Simulating
import Time

/// The reporter of a simulated venue, as its region sees it. What it tells is decided and divided by the code of the real one
/// (`VenueDigest`, `VenueReport.divided`) and sent by `UploadSchedule`. It opens nothing and reads no clock.
struct SimulatedVenueReporter {
    enum Action {
        case send(request: UInt64, lines: [[UInt8]])
        case abandon
    }

    /// A report that is not settled.
    private struct Pending {
        let record: SpoolRecord
        /// When its boxes were heard, from the start of the simulation.
        let heard: [Nanoseconds]
        let boxes: [VenueBox]
        let sums: Int
        let packets: Int64
    }

    struct Counters: Equatable {
        /// Reports that were made, and what became of them.
        var made = 0
        var sent = 0
        var acknowledged = 0
        var refused = 0
        var requests = 0
        var failures = 0
        /// States of boxes, and sums, that the region has acknowledged.
        var boxes = 0
        var sums = 0
        /// Packets that the acknowledged sums count.
        var packets: Int64 = 0

        static func + (left: Self, right: Self) -> Self {
            Counters(
                made: left.made + right.made, sent: left.sent + right.sent,
                acknowledged: left.acknowledged + right.acknowledged, refused: left.refused + right.refused,
                requests: left.requests + right.requests, failures: left.failures + right.failures,
                boxes: left.boxes + right.boxes, sums: left.sums + right.sums, packets: left.packets + right.packets)
        }
    }

    let name: String
    private let venue: SimulatedVenue
    private let interval: Nanoseconds
    private let start: (monotonic: Monotonic, wall: WallTime)
    private let boot: BootID
    private var random: SeededNoise
    private var digest: VenueDigest
    private var schedule: UploadSchedule
    private var pending: [Pending] = []
    private var nextRound: Monotonic
    private var lastSequence: UInt64 = 0
    /// Beginning of the first minute that is still to be told, ms since 1970.
    private var minuteMs: Int64
    private(set) var counters = Counters()
    /// From when states were made until the region acknowledged them; taken by whoever tells it.
    private(set) var lags: [Nanoseconds] = []
    /// When the newest acknowledged state of each box was heard, ms since 1970.
    private var heardMs: [String: Int64] = [:]

    /// - Parameters:
    ///   - number: from 0; the name follows from it.
    ///   - wall: what the venue's clocks say at the start.
    init(
        _ number: Int, _ venue: SimulatedVenue, interval: Nanoseconds, refresh: Nanoseconds, seed: UInt64,
        at now: Monotonic, wall: WallTime
    ) {
        let digits = String(number + 1)
        name = "venue-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        (self.venue, self.interval, start) = (venue, interval, (now, wall))
        random = SeededNoise(seed: seed)
        boot = BootID(ordinal: 1, nonce: random.next())
        digest = VenueDigest(refresh: refresh)
        schedule = UploadSchedule(box: name, interval: interval, at: now)
        // In the first interval no box has told its state yet.
        nextRound = now + interval + UploadSchedule.offset(of: name, within: interval)
        minuteMs = (wall.nanoseconds / 60_000_000_000 + 1) * 60_000
    }

    var pendingCount: Int { pending.count }

    /// When the newest acknowledged states were heard, ms since 1970, all together: what the region has must come to the same.
    var heardMsOfAll: Int64 { heardMs.values.reduce(0, +) }

    mutating func takeLags() -> [Nanoseconds] {
        defer { lags = [] }
        return lags
    }

    // MARK: Time

    /// - Parameter isMaking: whether the venue has something new to tell.
    /// - Returns: what is to be done, and when to ask again.
    mutating func actions(at now: Monotonic, isMaking: Bool) -> (actions: [Action], next: Monotonic) {
        if isMaking, pending.isEmpty, now >= nextRound { makeRound(at: now) }
        var actions: [Action] = []
        while true {
            let pending = pending
            let boot = boot
            let action = schedule.next(at: now, &random) { octets in Self.summary(of: pending, boot, octets) }
            switch action {
            case .wait(let until):
                let next = pending.isEmpty ? nextRound : now + .seconds(30)
                return (actions, min(until ?? next, next))
            case .abandon:
                counters.failures += 1
                actions.append(.abandon)
            case .send(let request, let batch, _):
                counters.requests += 1
                counters.sent += batch.records.count
                actions.append(.send(request: request, lines: batch.records.map(\.payload)))
            }
        }
    }

    private static func summary(of pending: [Pending], _ boot: BootID, _ octets: Int) -> SpoolSummary {
        var (records, sum): ([SpoolRecord], Int) = ([], 0)
        for each in pending.prefix(Spool.mostRecords) {
            sum += each.record.payload.count
            if sum > octets, !records.isEmpty { break }
            records.append(each.record)
        }
        return SpoolSummary(newest: nil, backlog: records.isEmpty ? nil : SpoolBatch(boot, records))
    }

    // MARK: Rounds

    private mutating func makeRound(at now: Monotonic) {
        let instant = now - start.monotonic
        nextRound = max(now, nextRound + interval)
        for box in 0..<venue.boxCount {
            let name = venue.identifier(of: box)
            // When the box made its last state: each has its own offset within the interval.
            let phase = UploadSchedule.offset(of: name, within: interval)
            let made = Nanoseconds((instant - phase).count / interval.count * interval.count) + phase
            let document = venue.brief(of: box, since: .zero, last: made - interval, at: made)
            let heard = WallTime(nanoseconds: start.wall.nanoseconds + made.count)
            digest.take(VenueBox(name, heard: heard, state: document))
        }
        var report = VenueReport()
        report.boxes = digest.due(at: now)
        report.minutes = minutes(until: instant)
        var overview = VenueReport.Overview()
        overview.states = digest.states
        overview.intervalS = interval.seconds
        overview.version = "1.0.0"
        report.overview = overview
        for part in report.divided() { append(part, at: instant) }
    }

    /// The sums of minutes that are over.
    private mutating func minutes(until instant: Nanoseconds) -> [VenueSum] {
        var sums: [VenueSum] = []
        let startMs = start.wall.nanoseconds / 1_000_000
        while minuteMs + 80_000 <= startMs + instant.milliseconds {
            let begin = Nanoseconds.milliseconds(minuteMs - startMs)
            for air in venue.air(in: begin..<begin + .seconds(60)) {
                var sum = VenueSum(
                    timeMs: minuteMs, bssid: air.accessPoint.bssid, channel: Int64(air.accessPoint.channel))
                sum.name = air.accessPoint.name
                (sum.packets, sum.lost) = (air.packets, air.lost)
                (sum.windows, sum.failedWindows) = (air.windows, air.failedWindows)
                (sum.seconds, sum.signalSum, sum.signalSeconds) = (air.seconds, air.signalSum, air.seconds)
                sums.append(sum)
            }
            minuteMs += 60_000
        }
        return sums
    }

    private mutating func append(_ part: VenueReport, at instant: Nanoseconds) {
        lastSequence += 1
        counters.made += 1
        let time = WallTime(nanoseconds: start.wall.nanoseconds + instant.count)
        let report = Report(
            box: name, boot: boot.description, sequence: lastSequence, kind: .venue,
            monotonicMs: instant.milliseconds, wall: time, coversMs: interval.milliseconds, members: part.members)
        pending.append(
            Pending(
                record: SpoolRecord(lastSequence, .event, time, report.octets),
                heard: part.boxes.map { Nanoseconds($0.heard.nanoseconds - start.wall.nanoseconds) }, boxes: part.boxes,
                sums: part.minutes.count, packets: part.minutes.reduce(0) { $0 + $1.packets }))
    }

    // MARK: Answers

    mutating func answered(_ request: UInt64, _ answer: UploadAnswer, at now: Monotonic) {
        let failures = schedule.counters.failures
        let settlement = schedule.answered(request, answer, at: now, &random)
        counters.failures += Int(schedule.counters.failures - failures)
        guard let settlement else { return }
        for each in pending where settlement.acknowledged.contains(each.record.sequence) {
            counters.acknowledged += 1
            counters.boxes += each.boxes.count
            counters.sums += each.sums
            counters.packets += each.packets
            for box in each.boxes { heardMs[box.box] = box.heard.nanoseconds / 1_000_000 }
            lags += each.heard.map { now - start.monotonic - $0 }
            digest.told(each.boxes, at: now)
        }
        counters.refused += pending.count(where: { settlement.refused.contains($0.record.sequence) })
        pending.removeAll {
            settlement.acknowledged.contains($0.record.sequence) || settlement.refused.contains($0.record.sequence)
        }
    }
}
