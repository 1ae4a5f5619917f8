// SPDX-License-Identifier: Apache-2.0
import JSON
import Statistics

/// The statistics of state reports: of what is counted the total and what came since the report before, of other
/// statistics the value. One that has not changed is left out, except from time to time.
public struct ReportStatistics: Sendable {
    /// The first of so many reports has everything.
    static let fullInterval = 60

    /// One group of a snapshot. Those that have name and labels in common are told apart by their order.
    private struct Place: Hashable {
        let name: String
        let labels: [String: String]
        let index: Int
    }

    private var last: [Place: [String: StatisticValue]] = [:]
    private var reports = 0

    public init() {}

    /// - Returns: groups by name, each a list of objects with `labels` and `values`. The name of a value is the path of
    ///   its keys in the group, with points between them.
    public mutating func compose(_ snapshot: StatisticSnapshot) -> JSONValue {
        let isFull = reports % Self.fullInterval == 0
        reports += 1
        var (now, indices): ([Place: [String: StatisticValue]], [Place: Int]) = ([:], [:])
        var result: [String: [JSONValue]] = [:]
        for group in snapshot.groups {
            let first = Place(name: group.name, labels: group.labels, index: 0)
            let place = Place(name: group.name, labels: group.labels, index: indices[first, default: 0])
            indices[first, default: 0] += 1
            let before = last[place] ?? [:]
            var (values, changed): ([String: StatisticValue], [String: JSONValue]) = ([:], [:])
            for (about, value) in group.members {
                let name = about.path.joined(separator: ".")
                values[name] = value
                if isFull || before[name] != value { changed[name] = Self.json(about.kind, value, before[name]) }
            }
            now[place] = values
            guard !changed.isEmpty else { continue }
            result[group.name, default: []].append([
                "labels": .object(group.labels.mapValues { .string($0) }), "values": .object(changed),
            ])
        }
        last = now
        return .object(result.mapValues { .array($0) })
    }

    private static func json(
        _ kind: StatisticDescription.Kind, _ value: StatisticValue, _ before: StatisticValue?
    ) -> JSONValue {
        guard kind == .counter, let total = value.integer else { return value.json }
        // An engine that was made anew counts from 0.
        let base = before?.integer.flatMap { $0 <= total ? $0 : nil } ?? 0
        return [.integer(total), .integer(total &- base)]
    }
}
