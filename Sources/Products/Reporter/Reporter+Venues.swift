// SPDX-License-Identifier: Apache-2.0
import Collecting
import JSON
import Reports
import System
import Time
import Web

/// What people ask of venues, at the reporter of a region.
extension Reporter {
    func tellVenues(after venue: String, _ limit: Int, to client: WebClient) throws(ReporterRefusal) {
        let now = SystemClock.wall()
        try ask(for: client) { (reader) throws(StoreError) in
            let venues = try reader.venues.venues(venue, limit + 1)
            var document: JSONValue = ["venues": .array(venues.prefix(limit).map { $0.venueJSON(at: now) })]
            if venues.count > limit { document["next"] = .string(venues[limit - 1].source.box) }
            return Self.document(200, document)
        }
    }

    func tellBoxes(
        of venue: String, after box: String, _ limit: Int, to client: WebClient
    ) throws(ReporterRefusal) {
        try ask(for: client) { (reader) throws(StoreError) in
            let boxes = try reader.venues.boxes(venue, box, limit + 1).compactMap { text in
                try? JSONValue.parse(text)  // it has been JSON when it was kept
            }
            var document: JSONValue = ["venue": .string(venue), "boxes": .array(Array(boxes.prefix(limit)))]
            if boxes.count > limit { document["next"] = boxes[limit - 1]["box"] }
            return Self.document(200, document)
        }
    }

    func tellAir(of venue: String, _ query: AirQuery, to client: WebClient) throws(ReporterRefusal) {
        try ask(for: client) { (reader) throws(StoreError) in
            Self.air(query, try reader.venues.air(venue, query))
        }
    }
}

extension LatestState {
    /// A venue is silent when nothing has come for three times as long as it takes to tell something, and 20 s.
    func venueJSON(at now: WallTime) -> JSONValue {
        let document = text.flatMap { try? JSONValue.parse($0) } ?? .null
        let overview = VenueReport.Overview(reading: document)
        let silence = Nanoseconds(now.nanoseconds - arrived.nanoseconds)
        var members: [String: JSONValue] = [
            "venue": .string(source.box), "boot": .string(source.boot), "sequence": .integer(sequence),
            "heard": .string(arrived.description),
            "clock": .string(ClockJudgement(wall: wall, arrived: arrived).rawValue),
            "isSilent": .bool(silence > .seconds(3 * overview.intervalS + 20)),
            "boxes": .integer(overview.states.reduce(0) { $0 + $1.boxes }),
            "states": .array(overview.states.map { ["state": .string($0.state), "boxes": .integer($0.boxes)] }),
            "alerts": .array(overview.alerts),
        ]
        members["wall"] = wall.map { .string($0.description) }
        members["version"] = summary.version.map { .string($0) }
        return .object(members)
    }
}
