// SPDX-License-Identifier: Apache-2.0
import Collecting
import HTTP
import JSON
import Provisioning
import Statistics
import System
import Time
import Web

/// What people ask. The reading thread asks the store and answers; the loop adds what it knows of settings before.
extension Reporter {
    func ask(
        for client: WebClient, _ answer: @escaping @Sendable (StoreReader) throws(StoreError) -> HTTPResponse
    ) throws(ReporterRefusal) {
        guard let desk, let server else { throw ReporterRefusal(503, "the reporter ends", retryAfter: 5) }
        let isTaken = desk.reading.ask({ (reader) throws(StoreError) in server.respond(to: client, try answer(reader)) }
        ) {
            error in
            server.respond(
                to: client,
                Self.refusal(
                    ReporterRefusal(
                        503, "the database does not answer: \(error.kind.rawValue), \(error)", retryAfter: 5)))
        }
        guard isTaken else { throw ReporterRefusal(503, "too many questions wait", retryAfter: 5) }
    }

    /// Boxes of which settings are known, and boxes that sent reports, in the order of their ids.
    func tellBoxes(after box: String, _ limit: Int, to client: WebClient) throws(ReporterRefusal) {
        let ids = state.boxes.keys.filter { Self.isBefore(box, $0) }.sorted(by: Self.isBefore).prefix(limit + 1)
        let settings = Dictionary(uniqueKeysWithValues: ids.compactMap { id in state.json(of: id).map { (id, $0) } })
        let enrolments = enrolling.known.enrolments
        try ask(for: client) { (reader) throws(StoreError) in
            var boxes = settings
            for latest in try reader.latest(box, limit + 1) {
                let id = latest.source.box
                boxes[id] = (boxes[id] ?? ["box": .string(id)]).merging(patch: ["latest": latest.json(isLong: false)])
            }
            let page = boxes.keys.sorted(by: Self.isBefore).prefix(limit)
            for id in page {
                if let patch = enrolments.patch(of: id) { boxes[id] = boxes[id]?.merging(patch: patch) }
            }
            var document: JSONValue = ["boxes": .array(page.compactMap { boxes[$0] })]
            if boxes.count > page.count, let last = page.last { document["next"] = .string(last) }
            return Self.document(200, document)
        }
    }

    /// The order of ids in a store, which is that of their octets.
    private static func isBefore(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    func tellBox(_ id: String, to client: WebClient) throws(ReporterRefusal) {
        let settings = state.json(of: id)
        let patch = enrolling.known.enrolments.patch(of: id)
        let predecessor = enrolling.known.enrolments.predecessors(of: id).first
        try ask(for: client) { (reader) throws(StoreError) in
            var latest = try reader.latestOf(id)
            if latest == nil, let predecessor { latest = try reader.latestOf(predecessor) }
            guard settings != nil || latest != nil || patch != nil else {
                return Self.refusal(ReporterRefusal(404, "no box \"\(id)\" has reported or enrolled"))
            }
            var document = settings ?? ["box": .string(id)]
            if let patch { document = document.merging(patch: patch) }
            if let latest { document["latest"] = latest.json(isLong: true) }
            return Self.document(200, document)
        }
    }

    func tellReports(_ query: ReportQuery, isTable: Bool, to client: WebClient) throws(ReporterRefusal) {
        var query = query
        query.predecessors = enrolling.known.enrolments.predecessors(of: query.box)
        try tellReports(query, isTable, to: client)
    }

    private func tellReports(_ query: ReportQuery, _ isTable: Bool, to client: WebClient) throws(ReporterRefusal) {
        try ask(for: client) { (reader) throws(StoreError) in
            let page = try reader.reports(query)
            var octets = isTable ? Array(KeptReport.tableHead.utf8) : []
            for report in page.reports { octets += (isTable ? report.row : report.line).utf8 }
            var response = HTTPResponse(
                200,
                fields: [
                    ("Content-Type", isTable ? "text/csv; charset=utf-8" : "application/x-ndjson"),
                    ("Cache-Control", "no-store"),
                ], body: .octets(octets))
            if page.hasMore, let last = page.reports.last {
                response.fields.append(("Link", "<\(Self.link(query, isTable, after: last.place))>; rel=\"next\""))
            }
            return response
        }
    }

    private static func link(_ query: ReportQuery, _ isTable: Bool, after place: ReportPlace) -> String {
        let span = "from=\(query.span.lowerBound)&to=\(query.span.upperBound)"
        let rest = "limit=\(query.limit)&format=\(isTable ? "csv" : "jsonl")&after=\(place.text)"
        return "/v1/boxes/\(percentEncoded(query.box))/reports?\(span)&\(rest)"
    }

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, octet in
            switch octet {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
                result.unicodeScalars.append(Unicode.Scalar(octet))
            default: result += "%" + (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
            }
        }
    }

    func tellGaps(of box: String, to client: WebClient) throws(ReporterRefusal) {
        let boxes = [box] + enrolling.known.enrolments.predecessors(of: box)
        try ask(for: client) { (reader) throws(StoreError) in
            var starts: [JSONValue] = []
            for each in boxes {
                for start in try reader.gaps(each, 100) {
                    starts.append(each == box ? start.json : start.json.merging(patch: ["box": .string(each)]))
                }
            }
            return Self.document(200, ["box": .string(box), "starts": .array(starts)])
        }
    }

    func tellAir(_ query: AirQuery, to client: WebClient) throws(ReporterRefusal) {
        try ask(for: client) { (reader) throws(StoreError) in Self.air(query, try reader.air(query)) }
    }

    static func air(_ query: AirQuery, _ rows: [AirRow]) -> HTTPResponse {
        let name = query.subject == .channel ? "channels" : "accessPoints"
        return document(
            200,
            [
                name: .array(rows.map(\.json)), "from": .string(query.span.lowerBound.description),
                "to": .string(query.span.upperBound.description), "sums": .string(query.resolution.rawValue),
                "isWhole": .bool(rows.count < query.limit),
            ])
    }

    // MARK: How the reporter itself is

    var metrics: HTTPResponse {
        HTTPResponse(
            200, fields: [("Content-Type", StatisticSnapshot.openMetricsType), ("Cache-Control", "no-store")],
            body: .octets(Array(statistics.snapshot().openMetrics(prefix: "touchline_reporter").utf8)))
    }

    /// Whoever balances load or watches the program asks it often: it says what the last commit said.
    var health: HTTPResponse {
        guard let trouble = desk?.writer.trouble else {
            guard !enrolling.known.isFresh(at: SystemClock.monotonic()) else {
                return Self.document(200, ["isHealthy": true])
            }
            let why = "the database does not say which boxes and users are known"
            return Self.document(
                503, ["isHealthy": false, "kind": .string(StoreError.Kind.gone.rawValue), "why": .string(why)])
        }
        return Self.document(
            503, ["isHealthy": false, "kind": .string(trouble.kind.rawValue), "why": .string(trouble.description)])
    }
}
