// SPDX-License-Identifier: Apache-2.0
import Collecting
import JSON
import Time
import Web

/// Alerts, and what came to one box.
extension Reporter {
    func tellAlerts(_ query: AlertQuery, to client: WebClient) throws(ReporterRefusal) {
        try ask(for: client) { (reader) throws(StoreError) in
            var more = query
            more.limit += 1
            let alerts = try reader.alerts(more)
            // They have been JSON when they were kept.
            let page = alerts.prefix(query.limit).map { (try? JSONValue.parse($0.text)) ?? .null }
            var document: JSONValue = ["alerts": .array(Array(page))]
            if alerts.count > query.limit { document["next"] = .string(alerts[query.limit - 1].id) }
            return Self.document(200, document)
        }
    }

    func tellSums(_ query: BoxSumsQuery, to client: WebClient) throws(ReporterRefusal) {
        try ask(for: client) { (reader) throws(StoreError) in
            Self.document(
                200,
                [
                    "box": .string(query.box), "from": .string(query.span.lowerBound.description),
                    "to": .string(query.span.upperBound.description), "sums": .string(query.resolution.rawValue),
                    "rows": .array(try reader.boxSums(query).map(\.json)),
                ])
        }
    }
}

extension BoxSums {
    var json: JSONValue { sums.json.merging(patch: ["time": .string(time.description)]) }
}

extension ReporterAPI {
    func alerts(_ query: ReporterQuery) throws(ReporterRefusal) -> Wish {
        let word = query["state"] ?? "open"
        guard let state = AlertQuery.State(rawValue: word) else {
            let words = AlertQuery.State.allCases.map(\.rawValue).joined(separator: ", ")
            throw ReporterRefusal(400, "state=\(word): expected one of \(words)")
        }
        let after = query["after"]
        if let after, !(1...64).contains(after.utf8.count) {
            throw ReporterRefusal(400, "after=\(after): expected the id of an alert")
        }
        return .alerts(AlertQuery(state, after: after, limit: try query.integer("limit", 1...1_000, standard: 100)))
    }
}
