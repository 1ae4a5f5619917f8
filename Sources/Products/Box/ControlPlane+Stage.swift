// SPDX-License-Identifier: Apache-2.0
import Playback
import Scene
import Settings
import Time
import Venue

/// The layout on the stage and its regions.
extension ControlPlane {
    /// A layout of the settings or a built-in one. The gallery is made from the line-up.
    func layout(named name: String) throws(Status) -> Settings.Layout {
        if name == Settings.Layout.gallery {
            let shown = lineUp.listed.filter { !$0.isHidden && $0.kind == .video }
            guard !shown.isEmpty else { throw .failure(.failed, "the line-up shows no channel: expected one to show") }
            return gallery(of: shown.prefix(settings.playback.sessionLimit).map(\.id.text))
        }
        if let found = knownLayouts.first(where: { $0.stage.name == name }) { return found }
        let names = knownLayouts.map(\.stage.name) + [Settings.Layout.gallery]
        throw .failure(.failed, "layout '\(name)' is not there: expected one of \(names.joined(separator: ", "))")
    }

    /// A grid with the first of the channels in `main`.
    func gallery(of channels: [String]) -> Settings.Layout {
        var stage = StageLayout.gallery(count: channels.count, names: [Settings.Layout.main], stage: media.stageSize)
        stage.name = Settings.Layout.gallery
        let names = stage.regions.map(\.name)
        return Settings.Layout(stage, channels: Dictionary(zip(names, channels), uniquingKeysWith: { $1 }))
    }

    /// - Throws: if the regions do not fit together or too many sessions would be open. Nothing has changed then.
    func choose(_ new: Settings.Layout, _ transition: StageTransition) throws(Status) {
        let composed = strategies.compose(new.stage)
        if let problem = composed.problem { throw .failure(.failed, "layout '\(new.stage.name)': \(problem)") }
        let limit = settings.playback.sessionLimit
        let count = sessions(of: composed, tuning: new.channels)
        guard count <= limit else {
            throw .failure(
                .failed,
                "layout '\(new.stage.name)' has \(count) sessions: expected at most playback.sessionLimit (\(limit))")
        }
        put(new, isChanged: false, transition)
        tuneAwaited()
    }

    /// The number of sessions that would be open with this layout.
    func sessions(of stage: StageLayout, tuning channels: [String: String]) -> Int {
        let open = Set(regions.all.filter(\.player.isOpen).map(\.name))
        return stage.regions.count { channels[$0.name] != nil || open.contains($0.name) }
    }

    func showFirstLayout() {
        guard let first = knownLayouts.first(where: { $0.stage.name == settings.output.layout }) else {
            preconditionFailure("settings name a layout that they do not have")
        }
        putOnFirstStrategies()
        layout = (first, false)
        arrange(.cut, awaiting: channelsOnStage)
    }

    /// - Parameter isChanged: true for a variant of the present layout; false for another, whose channels are tuned.
    func put(_ new: Settings.Layout, isChanged: Bool, _ transition: StageTransition) {
        layout = (new, isChanged)
        arrange(transition, awaiting: isChanged ? [:] : new.channels)
    }

    /// Puts the layout and the strategies on the stage, stops the regions that are no longer there and creates those
    /// that are new.
    /// - Parameter channels: for a region's name: the channel that is to be tuned there.
    func arrange(_ transition: StageTransition, awaiting channels: [String: String]) {
        let stage = stageShown
        media.setLayout(stage, transition)
        let names = strategies.compose(layout.shown.stage).regions.map(\.name).filter { $0 != main.name }
        let heardBefore = regions.all.map { ($0, heard($0)) }
        let (joining, leaving) = regions.replace(with: names.map { ($0, strategies.owner(of: $0)?.name) })
        for region in regions.all { region.awaitsChannel = channels[region.name] ?? region.awaitsChannel }
        let standard = channelsOnStage
        for region in regions.all where !region.isMain {
            regions.setFallback(standard[region.name].map { .defaultChannel($0) } ?? .slate, of: region)
        }
        emit(.stage, "layout", shownLayout(over: transition))
        for region in leaving { regions.stop(region) }
        for region in joining { showSlate(in: region) }
        let isHeardLess = leaving.contains { !sound(of: $0).isMuted }
        for region in leaving { sounds[region.name] = nil }
        if isHeardLess { hearSomething() }
        for region in regions.all {
            region.isInSight = stage.regions.contains { $0.name == region.name }
            regions.applyVisibility(of: region)
        }
        for (region, sound) in heardBefore where heard(region) != sound { tellSound(of: region) }
    }

    /// The part of the layout that the viewport shows, together with the active strategies.
    var stageShown: StageLayout { strategies.compose(layout.shown.stage.seen) }

    private var knownLayouts: [Settings.Layout] { Settings.Layout.builtIn + settings.layouts }
}
