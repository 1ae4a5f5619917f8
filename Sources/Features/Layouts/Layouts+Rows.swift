// SPDX-License-Identifier: Apache-2.0
import Playback
import Scene
import Settings

/// The stage as answers and events show it.
extension Layouts {
    /// The layout on the stage and what plays in each region.
    var stage: StageAnswer {
        StageAnswer(
            layout: shownName, isChanged: layout.isChanged, regions: rows(isEvent: false),
            document: layout.shown.json)
    }

    /// The regions of the layout and of the strategies. Positions are those on the stage.
    /// - Parameter isEvent: whether what plays in the regions is left out.
    func rows(isEvent: Bool) -> [RegionRow] {
        let (all, seen) = (strategies.compose(layout.shown.stage), stageShown)
        let channels = channelsOnStage
        return all.regions.map { region in
            let shown = seen.regions.first { $0.name == region.name }
            let player = isEvent ? nil : regions[region.name]
            return RegionRow(
                region: shown ?? region, layer: region.layer, isSeen: shown != nil, channel: channels[region.name],
                strategy: strategies.owner(of: region.name)?.name,
                playing: player.map {
                    RegionRow.Playing($0.player.current, sounds.heard(in: $0.name), isVisible: $0.isShown)
                })
        }
    }

    var layoutRows: [LayoutRow] {
        func row(_ name: String, _ origin: LayoutRow.Origin, _ count: Int?) -> LayoutRow {
            LayoutRow(name: name, origin: origin, regions: count, isShown: name == shownName)
        }
        let builtIn = Settings.Layout.builtIn.map { row($0.stage.name, .builtIn, $0.stage.regions.count) }
        let written = settings.layouts.map { row($0.stage.name, .settings, $0.stage.regions.count) }
        return builtIn + [row(Settings.Layout.gallery, .builtIn, nil)] + written
    }
}
