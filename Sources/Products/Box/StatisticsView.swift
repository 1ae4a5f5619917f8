// SPDX-License-Identifier: Apache-2.0
import JSON
import Presentation
import Statistics
import Venue

/// The registry as the command `stats` answers it, at one look.
struct StatisticsView {
    let snapshot: StatisticSnapshot

    /// Each group under its name. Those of a region stand under `regions`; those of what plays in `main`, and the
    /// reference's names for them, at the top as well.
    var json: JSONValue {
        var (result, regions): ([String: JSONValue], [String: [String: JSONValue]]) = ([:], [:])
        var screens: [JSONValue] = []
        for group in snapshot.groups {
            switch (group.name, group.labels["region"]) {
            case ("region", let region?): regions[region, default: [:]]["stage"] = group.json
            case (_, let region?):
                regions[region, default: [:]][group.name] = group.json
                if region == RegionPlayer.main { result[group.name] = group.json }
            case ("screen", nil): screens.append(group.json)
            case (_, nil): result[group.name] = group.json
            }
        }
        if let screen = screens.first { result["screen"] = screen }
        if screens.count > 1 { result["screens"] = .array(screens) }
        result["regions"] = .object(regions.mapValues { .object($0) })
        for (name, value) in reference(of: RegionPlayer.main) { result[name] = value }
        return .object(result)
    }

    /// Those that the reference has, too, by its names (SVM-101…126): of the box and of what plays in a region.
    func reference(of region: String) -> [String: JSONValue] {
        var result: [String: JSONValue] = [:]
        for group in snapshot.groups where group.labels["region"].map({ $0 == region }) ?? true {
            for (about, value) in group.members {
                if let name = about.reference { result[name] = value.json }
            }
        }
        return result
    }

    /// What a technician asks first, from the aerial to the screen: of what plays in `main`, then of its region, then of
    /// all.
    var panel: [StatisticsPanel.Row] {
        let groups = snapshot.groups.filter { group in
            group.labels["region"].map { $0 == RegionPlayer.main } ?? true
        }
        let (ofSession, rest) = (groups.filter(\.isOfSession), groups.filter { !$0.isOfSession })
        let (ofRegion, ofAll) = (rest.filter(\.isOfRegion), rest.filter { !$0.isOfRegion })
        return (ofSession + ofRegion + ofAll).flatMap { group in
            group.members.compactMap { about, value in
                guard let number = value.integer else { return nil }
                let isShown =
                    about.traits.contains(.screen) || about.traits.contains(.screenUnlessZero) && number != 0
                return isShown ? StatisticsPanel.Row(about.name, "\(number)") : nil
            }
        }
    }
}

extension StatisticSnapshot.Group {
    fileprivate var isOfSession: Bool { labels["session"] != nil }
    fileprivate var isOfRegion: Bool { labels["region"] != nil }
}
