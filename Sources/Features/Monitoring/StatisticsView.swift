// SPDX-License-Identifier: Apache-2.0
import JSON
import Playback
import Reporting
import Statistics
import Venue

/// A snapshot of the registry as the command `stats` answers it.
struct StatisticsView {
    let snapshot: StatisticSnapshot

    /// Each group under its name. Groups of a region are under `regions`. The groups of the session in the wanted region,
    /// and their statistics under the reference's names, are at the top as well.
    func json(of wanted: String) -> JSONValue {
        var (result, regions): ([String: JSONValue], [String: [String: JSONValue]]) = ([:], [:])
        var screens: [JSONValue] = []
        for group in snapshot.groups {
            switch (group.name, group.labels["region"]) {
            case ("region", let region?): regions[region, default: [:]]["stage"] = group.json
            case (_, let region?):
                regions[region, default: [:]][group.name] = group.json
                if region == wanted { result[group.name] = group.json }
            case ("screen", nil): screens.append(group.json)
            case (_, nil): result[group.name] = group.json
            }
        }
        if let screen = screens.first { result["screen"] = screen }
        if screens.count > 1 { result["screens"] = .array(screens) }
        result["regions"] = .object(regions.mapValues { .object($0) })
        for (name, value) in reference(of: wanted) { result[name] = value }
        return .object(result)
    }

    /// The statistics of the box and of one region that the reference has too, by the reference's names (SVM-101…126).
    func reference(of region: String) -> [String: JSONValue] {
        snapshot.reference(of: region, isOfBox: true)
    }
}
