// SPDX-License-Identifier: Apache-2.0
import Playback
import Scene
import Settings
import Venue

/// Layout strategies: regions over or beside the layout (PLAY-33…39). Commands activate and deactivate them; the
/// settings name those that are active from the start.
extension Layouts {
    /// Bottom first.
    private var active: [Settings.Strategy] {
        strategies.strategies.compactMap { active in settings.strategies.first { $0.layout == active } }
    }

    /// For a region's name: the channel that is tuned when the region appears, and to which it falls back.
    var channelsOnStage: [String: String] {
        active.reduce(layout.shown.channels) { $0.merging($1.channels) { first, _ in first } }
    }

    /// The region that the topmost of the strategies with such a region has heard alone; nil if there is none.
    var regionHeardAlone: String? { active.last { $0.audioRegion != nil }?.audioRegion }

    /// What a strategy writes in its region while nothing plays there; nil for nothing.
    func text(in region: RegionPlayer) -> String? {
        active.first { $0.name == region.strategy?.name }?.texts[region.name]
    }

    /// Activates the strategies that the settings name. Called before the first layout is shown.
    func putOnFirstStrategies() {
        for name in settings.output.strategies {
            guard let strategy = settings.strategies.first(where: { $0.name == name }) else {
                preconditionFailure("settings name a strategy that they do not have")
            }
            if strategies.putOn(strategy.layout) { tellSwitched(strategy, isOn: true) }
        }
    }

    /// The strategies that are on, as the settings have them now. One that they no longer have is taken off; one that is
    /// on at start and was not before is put on.
    func followed(_ old: Settings) -> StrategyStack {
        let started = settings.output.strategies.filter { !old.output.strategies.contains($0) }
        let ended = old.output.strategies.filter { !settings.output.strategies.contains($0) }
        let names = strategies.strategies.map(\.name).filter { !ended.contains($0) } + started
        var stack = StrategyStack()
        for name in names {
            if let found = settings.strategies.first(where: { $0.name == name }) { stack.putOn(found.layout) }
        }
        return stack
    }

    var strategyRows: [StrategyRow] {
        settings.strategies.map { strategy in
            StrategyRow(
                name: strategy.name, layer: strategy.layout.layer, regions: strategy.layout.regions.count,
                isOn: strategies.isOn(strategy.name))
        }
    }

    /// - Throws: if the settings have no such strategy or the stage has no room for it (PLAY-36: a refusal is a
    ///   status). Nothing has changed then.
    func switchStrategy(_ name: String, isOn: Bool, _ transition: StageTransition) throws(Status) {
        guard let strategy = settings.strategies.first(where: { $0.name == name }) else {
            let known = settings.strategies.map(\.name).joined(separator: ", ")
            throw .failure(
                .failed, "strategy '\(name)' is not in the settings: expected one of \(known.isEmpty ? "none" : known)")
        }
        if isOn { try putOn(strategy, transition) } else { takeOff(strategy, transition) }
    }

    private func putOn(_ strategy: Settings.Strategy, _ transition: StageTransition) throws(Status) {
        var new = strategies
        guard new.putOn(strategy.layout) else { return }
        let composed = new.compose(layout.shown.stage)
        if let problem = composed.problem { throw .failure(.failed, "strategy '\(strategy.name)': \(problem)") }
        if strategy.layout.layer == .emergency {
            makeRoom(for: strategy, on: composed)
        } else {
            let (count, limit) = (sessions(of: composed, tuning: strategy.channels), regions.sessionLimit)
            guard count <= limit else {
                throw .failure(
                    .failed,
                    "with strategy '\(strategy.name)' there are \(count) sessions: "
                        + "expected at most playback.sessionLimit (\(limit))")
            }
            try regions.admit(channelsPlaying(on: composed, tuning: strategy.channels), called: strategy.name)
        }
        strategies = new
        tellSwitched(strategy, isOn: true)
        arrange(transition, awaiting: strategy.channels)
        regions.tuner?.tuneAwaited()
    }

    private func takeOff(_ strategy: Settings.Strategy, _ transition: StageTransition) {
        guard strategies.takeOff(strategy.name) else { return }
        tellSwitched(strategy, isOn: false)
        arrange(transition, awaiting: [:])
        guard strategy.layout.layer == .emergency, !strategies.strategies.contains(where: { $0.layer == .emergency })
        else { return }
        for region in regions.all {
            if let tuned = region.gaveWay, !region.player.isOpen { region.tuneLater(tuned) }
            region.gaveWay = nil
        }
        regions.tuner?.tuneAwaited()
    }

    /// Stops what plays below the layer of emergencies, the last region first, until there is room for the strategy. The
    /// channels are noted.
    private func makeRoom(for strategy: Settings.Strategy, on stage: StageLayout) {
        let below = regions.all.filter { region in
            region.player.isOpen && strategies.owner(of: region.name)?.layer != .emergency
        }
        for region in below.reversed() {
            let playing = channelsPlaying(on: stage, tuning: strategy.channels)
            guard
                sessions(of: stage, tuning: strategy.channels) > regions.sessionLimit
                    || regions.bandwidthRefusal(of: playing) != nil
            else { return }
            let tuned = region.tuned
            regions.stop(region)
            region.gaveWay = tuned
        }
    }

    private func tellSwitched(_ strategy: Settings.Strategy, isOn: Bool) {
        context.emit(
            StrategySwitched(
                strategy: strategy.name, layer: strategy.layout.layer, isOn: isOn,
                active: strategies.strategies.map(\.name)))
    }

    /// Refuses to change a region that belongs to a strategy.
    func checkIsOfLayout(_ name: String) throws(Status) {
        let owner = settings.strategies.first { $0.layout.regions.contains { $0.name == name } }
        guard let owner else { return }
        throw .failure(
            .failed, "region '\(name)' is of strategy '\(owner.name)': expected one of the layout, or a new name")
    }
}
