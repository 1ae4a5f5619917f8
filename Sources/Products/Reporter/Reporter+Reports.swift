// SPDX-License-Identifier: Apache-2.0
import Collecting
import Compression
import HTTP
import JSON
import Reports
import System
import Time
import Web

/// Reports of boxes on their way in. Nothing here waits for the disk: the writer's thread answers.
extension Reporter {
    func keep(
        _ octets: [UInt8], isCompressed: Bool, of box: String, for client: WebClient
    ) throws(ReporterRefusal) {
        guard let desk, let server else { throw ReporterRefusal(503, "the reporter ends", retryAfter: 5) }
        desk.intake.requests += 1
        // Before anything is parsed: under load, sending away has to be cheap.
        switch desk.arrivals.handle(
            box: box, reports: 0, octets: octets.count, desk.load, now: SystemClock.monotonic())
        {
        case .take: break
        case .slowDown(let seconds), .wait(let seconds): try desk.putOff(seconds)
        }
        let batch = try desk.parsed(octets, isCompressed: isCompressed, of: box)
        guard let boot = batch.boot else {
            desk.intake.malformed += 1
            throw ReporterRefusal(422, batch.unreadable.first ?? "expected a report on each line")
        }
        desk.intake.unreadableLines += UInt64(batch.unreadable.count)
        desk.intake.refused += UInt64(batch.refused.count)
        let incoming = IncomingBatch(
            ReportSource(box: box, boot: boot), batch.reports.map { IncomingReport($0) }, arrived: SystemClock.wall())
        let credit: Int64
        switch desk.arrivals.handle(
            box: box, reports: incoming.reports.count, octets: incoming.octets, desk.load,
            now: SystemClock.monotonic())
        {
        case .take(let given): credit = given
        case .slowDown(let seconds):
            desk.intake.slowedDown += 1
            throw ReporterRefusal(429, "box \(box) sends more than a box may", retryAfter: seconds)
        case .wait(let seconds): try desk.putOff(seconds)
        }
        desk.countClocks(of: incoming)
        for report in incoming.reports {
            let isPlausible = ClockJudgement(wall: report.wall, arrived: incoming.arrived) == .plausible
            enrolling.reported(boot, of: box, made: isPlausible ? report.wall : nil)
        }
        let refused = batch.refused
        guard !incoming.reports.isEmpty else {
            let answer = ReportAnswer(BatchOutcome(), boot: boot, refused: refused, credit: Int(credit))
            server.respond(to: client, Self.document(200, answer.json))
            return
        }
        let wait = storeWait
        desk.writer.submit(incoming) { result in
            switch result {
            case .success(let outcome):
                let answer = ReportAnswer(outcome, boot: boot, refused: refused, credit: Int(credit))
                server.respond(to: client, Self.document(200, answer.json))
            case .failure(let error):
                let why = "nothing of this is kept: \(error.kind.rawValue), \(error)"
                let refusal = ReporterRefusal(503, why, retryAfter: wait + Arrivals.spread(of: box))
                server.respond(to: client, Self.refusal(refusal))
            }
        }
    }
}

extension ReportDesk {
    func putOff(_ seconds: Int64) throws(ReporterRefusal) -> Never {
        intake.putOff += 1
        throw ReporterRefusal(503, "there is too much to write; nothing of this is kept", retryAfter: seconds)
    }

    fileprivate func parsed(
        _ octets: [UInt8], isCompressed: Bool, of box: String
    ) throws(ReporterRefusal) -> ReportBatch {
        var plain = octets
        if isCompressed {
            do throws(InflationError) {
                plain = try Inflation.gzip(octets, limit: ReportBatch.mostOctets)
            } catch {
                guard case .tooLong(let limit) = error else {
                    intake.malformed += 1
                    throw ReporterRefusal(400, "the body is no gzip, is damaged, or is cut off")
                }
                throw ReporterRefusal(413, "the body has more than \(limit) octets after decompression")
            }
        }
        do throws(ReportError) {
            return try ReportBatch(parsing: plain, of: box)
        } catch {
            intake.malformed += 1
            throw ReporterRefusal(413, "\(error)")
        }
    }

    fileprivate func countClocks(of batch: IncomingBatch) {
        for report in batch.reports {
            if let venue = report.venue {
                intake.venueReports += 1
                intake.venueBoxes += UInt64(venue.boxes.count)
            }
            switch ClockJudgement(wall: report.wall, arrived: batch.arrived) {
            case .unset: intake.clocksUnset += 1
            case .wrong: intake.clocksWrong += 1
            case .plausible: break
            }
        }
    }
}

extension ReportAnswer {
    init(_ outcome: BatchOutcome, boot: String, refused: [ReportRefusal], credit: Int) {
        let ranges = outcome.acknowledged.map { UInt64($0.lowerBound)..<UInt64($0.upperBound) + 1 }
        self.init(
            boot: boot, acknowledged: RangeSet(ranges),
            refused: refused + outcome.refused.map { ReportRefusal(UInt64($0.sequence), $0.why) }, credit: credit)
    }
}
