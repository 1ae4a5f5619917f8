// SPDX-License-Identifier: Apache-2.0
import Playback
import Presentation
import Statistics

extension StatisticSnapshot {
    /// The figures that a technician asks for first: of the session in `main`, then of its region, then of the box.
    var panelRows: [StatisticsPanel.Row] {
        let groups = groups.filter { group in group.labels["region"].map { $0 == RegionPlayer.main } ?? true }
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
