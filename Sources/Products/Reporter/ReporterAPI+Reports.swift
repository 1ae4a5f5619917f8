// SPDX-License-Identifier: Apache-2.0
import Collecting
import HTTP
import Reports
import Time

/// Requests about reports.
extension ReporterAPI {
    /// Sums over hours of three months are about as many rows as one answer may read.
    static let longestAir = Nanoseconds.seconds(92 * 86_400)
    static let longestReports = Nanoseconds.seconds(31 * 86_400)

    func reports(_ request: HTTPRequest, of box: String) throws(ReporterRefusal) -> Wish {
        let isCompressed: Bool
        switch request.contentEncoding?.lowercased() {
        case nil, "identity": isCompressed = false
        case "gzip": isCompressed = true
        case let other: throw ReporterRefusal(415, "Content-Encoding \(other ?? ""): expected gzip, or none")
        }
        let type = request.contentType?.split(separator: ";").first.map { $0.lowercased() }
        guard type == nil || type == ReportBatch.mediaType else {
            throw ReporterRefusal(415, "Content-Type \(type ?? ""): expected \(ReportBatch.mediaType)")
        }
        return .sendReports(box: box, octets: try octets(of: request), isCompressed: isCompressed)
    }

    func reading(
        _ request: HTTPRequest, _ route: ReporterRoute, _ variable: String, at now: WallTime
    ) throws(ReporterRefusal) -> Wish {
        let query = try ReporterQuery(request, route)
        switch route {
        case .boxes:
            return .boxes(after: query["after"] ?? "", limit: try query.integer("limit", 1...1_000, standard: 1_000))
        case .box: return .box(variable)
        case .gaps: return .gaps(box: variable)
        case .reports: return try reports(query, of: variable, at: now)
        case .accessPoints, .channels:
            return .air(try air(query, route == .channels ? .channel : .accessPoint, at: now))
        case .boxSums:
            let span = try query.span(at: now, most: Self.longestAir)
            return .boxSums(BoxSumsQuery(variable, span, retention.resolution(for: span, at: now)))
        case .alerts: return try alerts(query)
        case .metrics: return .metrics
        default: return .health
        }
    }

    /// The sums of a span that a query has.
    func air(
        _ query: ReporterQuery, _ subject: AirQuery.Subject, at now: WallTime
    ) throws(ReporterRefusal) -> AirQuery {
        let span = try query.span(at: now, most: Self.longestAir)
        return AirQuery(
            subject, span, retention.resolution(for: span, at: now),
            limit: try query.integer("limit", 1...10_000, standard: 1_000))
    }

    private func reports(
        _ query: ReporterQuery, of box: String, at now: WallTime
    ) throws(ReporterRefusal) -> Wish {
        var place: ReportPlace?
        if let text = query["after"] {
            place = ReportPlace(text: text)
            guard place != nil else {
                throw ReporterRefusal(400, "after=\(text): expected what a Link of an answer has")
            }
        }
        let format = query["format"] ?? "jsonl"
        guard ["jsonl", "csv"].contains(format) else {
            throw ReporterRefusal(400, "format=\(format): expected jsonl or csv")
        }
        let wanted = ReportQuery(
            box: box, span: try query.span(at: now, most: Self.longestReports), after: place,
            limit: try query.integer("limit", 1...10_000, standard: 1_000))
        return .reports(wanted, isTable: format == "csv")
    }
}
