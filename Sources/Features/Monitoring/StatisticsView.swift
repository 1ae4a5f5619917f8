// SPDX-License-Identifier: Apache-2.0
import JSON
import Playback
import Reporting
import Statistics
import Venue

/// A snapshot of the registry as the command `stats` answers it.
struct StatisticsView {
    let snapshot: StatisticSnapshot

    /// Groups of which there may be several, and what all of them together are called. The first has the group's name.
    private static let lists = [
        "screen": "screens", "wifi": "radios", "interface": "interfaces", "wifiLoss": "accessPoints",
    ]

    /// Each group under its name. Groups of a region are under `regions`. The groups of the session in the wanted region,
    /// and their statistics under the reference's names, are at the top as well.
    func json(of wanted: String) -> JSONValue {
        var (result, regions): ([String: JSONValue], [String: [String: JSONValue]]) = ([:], [:])
        var several: [String: [JSONValue]] = [:]
        for group in snapshot.groups {
            switch (group.name, group.labels["region"]) {
            case ("region", let region?): regions[region, default: [:]]["stage"] = group.json
            case (_, let region?):
                regions[region, default: [:]][group.name] = group.json
                if region == wanted { result[group.name] = group.json }
            case (let name, nil) where Self.lists[name] != nil:
                let labels = JSONValue.object(group.labels.mapValues { .string($0) })
                several[name, default: []].append(group.json.merging(patch: labels))
            case (_, nil): result[group.name] = group.json
            }
        }
        for (name, groups) in several {
            result[name] = groups.first
            if let list = Self.lists[name], groups.count > 1 { result[list] = .array(groups) }
        }
        result["regions"] = .object(regions.mapValues { .object($0) })
        for (name, value) in reference(of: wanted) { result[name] = value }
        return .object(result)
    }

    /// The statistics of the box and of one region that the reference has too, by the reference's names (SVM-101…126).
    func reference(of region: String) -> [String: JSONValue] {
        snapshot.reference(of: region, isOfBox: true)
    }
}
