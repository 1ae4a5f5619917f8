// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Playback
import Scene
import Settings
import Time
import Venue

/// The commands that concern the stage.
extension ControlPlane {
    /// - Returns: nil if the command is not about the stage.
    func handleStage(_ request: CommandRequest) -> Result<JSONValue, Status>? {
        do throws(Status) {
            switch request.command {
            case "layout":
                if let name = request.text("name") { try choose(layout(named: name), transition(of: request)) }
            case "regions": break
            case "layouts": return .success(layouts)
            case "region": try changeRegion(request)
            case "region-remove": try removeRegion(request)
            case "gallery": try choose(gallery(request), transition(of: request))
            case "viewport": return .success(try changeViewport(request))
            case "strategies": return .success(strategyList)
            case "strategy": try switchStrategy(request, transition(of: request))
            default: return nil
            }
            return .success(stage)
        } catch {
            return .failure(error)
        }
    }

    // MARK: Showing

    /// The layout on the stage and what plays in each region.
    private var stage: JSONValue {
        let rows = rowsOnStage.map { row in
            guard let region = row["name"]?.string.flatMap({ regions[$0] }) else { return row }
            let session = region.player.current
            let state: JSONValue = [
                "plays": session.map { .string($0.name) } ?? .null,
                "session": session.map { .integer(Int64($0.id)) } ?? .null,
                "playerState": session.map { .string($0.state.rawValue) } ?? .null,
            ]
            return JSONValue.object(
                (row.object ?? [:]).merging(state.object ?? [:]) { $1 }
                    .merging(heard(region).json.object ?? [:]) { $1 })
        }
        return [
            "layout": .string(layout.shown.stage.name), "isChanged": .bool(layout.isChanged),
            "regions": .array(rows), "document": layout.shown.json,
        ]
    }

    /// The regions of the layout and of the strategies, as a layout document has them, with their layer and strategy.
    /// Positions are those on the stage, null for a region that the viewport does not show.
    private var rowsOnStage: [JSONValue] {
        let (all, seen) = (strategies.compose(layout.shown.stage), stageShown)
        let regions = all.regions.map { region in (region, seen.regions.first { $0.name == region.name }) }
        let stage = StageLayout(name: all.name, regions: regions.map { $1 ?? $0 })
        let rows = Settings.Layout(stage, channels: channelsOnStage).json["regions"]?.array ?? []
        return zip(rows, regions).map { row, region in
            var row = row
            row["isSeen"] = .bool(region.1 != nil)
            if region.1 == nil { for name in ["x", "y", "width", "height"] { row[name] = .null } }
            let region = region.0
            row["layer"] = .string(region.layer.rawValue)
            row["strategy"] = strategies.owner(of: region.name).map { .string($0.name) }
            return row
        }
    }

    /// The payload of the event `layout`.
    func shownLayout(over transition: StageTransition) -> JSONValue {
        let span =
            switch transition {
            case .cut: Nanoseconds.zero
            case .crossFade(let span): span
            }
        return [
            "layout": .string(layout.shown.stage.name), "isChanged": .bool(layout.isChanged),
            "transitionMs": .integer(span.milliseconds), "regions": .array(rowsOnStage),
            "viewport": layout.shown.stage.viewport.json,
        ]
    }

    private var layouts: JSONValue {
        func row(_ name: String, _ origin: JSONValue, _ count: Int?) -> JSONValue {
            [
                "name": .string(name), "origin": origin, "regions": count.map { .integer(Int64($0)) } ?? .null,
                "isShown": .bool(name == layout.shown.stage.name),
            ]
        }
        let builtIn = Settings.Layout.builtIn.map { row($0.stage.name, "builtIn", $0.stage.regions.count) }
        let written = settings.layouts.map { row($0.stage.name, "settings", $0.stage.regions.count) }
        return ["layouts": .array(builtIn + [row(Settings.Layout.gallery, "builtIn", nil)] + written)]
    }

    // MARK: Changing

    /// - Parameter standard: used if the request names no transition; nil for that of the settings.
    func transition(of request: CommandRequest, else standard: StageTransition? = nil) -> StageTransition {
        let given = request.integer("durationMs").map { Nanoseconds.milliseconds($0) }
        let usual = settings.output.transition
        switch (request.text("transition"), given) {
        case ("cut", _): return .cut
        case (nil, nil): return standard ?? (usual > .zero ? .crossFade(usual) : .cut)
        default:
            let span = given ?? (usual > .zero ? usual : .milliseconds(250))
            return span > .zero ? .crossFade(span) : .cut
        }
    }

    private func changeRegion(_ request: CommandRequest) throws(Status) {
        let name = request.text("name") ?? ""
        try checkIsOfLayout(name)
        var new = layout.shown
        let index = new.stage.regions.firstIndex { $0.name == name }
        let region = try RegionChange(request, of: index.map { new.stage.regions[$0] }).region
        if let index {
            new.stage.regions[index] = region
        } else {
            let limit = Settings.Layout.regionLimit
            guard new.stage.regions.count < limit else {
                throw .failure(.failed, "\(limit) regions are on the stage: expected fewer for a new one")
            }
            new.stage.regions.append(region)
        }
        if let problem = strategies.compose(new.stage).problem { throw .failure(.failed, "\(problem)") }
        let channel = request.text("channel")
        if let channel {
            try checkTunable(channel, in: regions[name])
            new.channels[name] = channel
        }
        guard new != layout.shown || channel != nil else { return }
        put(new, isChanged: true, transition(of: request, else: .cut))
        guard let channel, let player = regions[name] else { return }
        if case .failure(let status) = tune(channel, in: player) { throw status }
    }

    /// - Parameter region: nil if the region is still to be created.
    private func checkTunable(_ channel: String, in region: RegionPlayer?) throws(Status) {
        guard regions.admitsSession(in: region) else { throw regions.sessionLimitReached }
        _ = try tunable(channel)
    }

    private func removeRegion(_ request: CommandRequest) throws(Status) {
        let name = request.text("name") ?? ""
        try checkIsOfLayout(name)
        var new = layout.shown
        guard let index = new.stage.regions.firstIndex(where: { $0.name == name }) else {
            throw regions.unknownRegion(name)
        }
        guard name != main.name else {
            throw .failure(.failed, "region '\(name)' is always there: expected one of the others")
        }
        new.stage.regions.remove(at: index)
        new.channels[name] = nil
        put(new, isChanged: true, transition(of: request, else: .cut))
    }

    private func gallery(_ request: CommandRequest) throws(Status) -> Settings.Layout {
        let text = request.text("channels") ?? ""
        let channels = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " })
        }
        let limit = settings.playback.sessionLimit
        guard channels.count <= limit else {
            throw .failure(
                .failed, "channels are \(channels.count); expected at most playback.sessionLimit (\(limit))")
        }
        for channel in channels { _ = try tunable(channel) }
        return gallery(of: channels)
    }
}
