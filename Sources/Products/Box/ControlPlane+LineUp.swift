// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import LineUp
import Playback
import Time
import Venue

/// The line-up: the events that report its changes, and tuning to its channels.
extension ControlPlane {
    /// Changes within this time are reported by one event with the whole list.
    private static let listPause = Nanoseconds.milliseconds(100)

    /// Time from start after which channels are logged that the settings name and nobody has announced.
    private static let longestSilence = Nanoseconds.seconds(60)

    // MARK: Events

    /// Reports the channels that the line-up has before any announcement is received.
    func tellFirstList() {
        let changes = lineUp.listed.map { LineUpChange.channelAdded($0) }
        for case .channelAdded(let entry) in changes { emit(.channels, "added", ["channel": document(of: entry)]) }
        tellList(of: changes)
        after(Self.longestSilence) { [weak self] in self?.warnOfUnknownNames() }
    }

    func perform(_ changes: [LineUpChange]) {
        var isFirst = true
        for change in changes {
            switch change {
            case .channelAdded(let entry):
                emit(.channels, "added", ["channel": document(of: entry)])
                if isFirst { tuneAwaited() }  // once is enough: the list has all added channels already
                isFirst = false
                if let channel = entry.channel, channel.kind == .video {
                    for region in regions.all { regions.control(.channelAdded(channel), in: region) }
                }
            case .channelChanged(let entry, let was):
                let before = listDocuments[was.id] ?? was.json
                let after = document(of: entry)
                emit(.channels, "changed", ["channel": after, "changed": Self.difference(before, after)])
                guard let channel = entry.channel else { continue }
                for region in regions.all { regions.control(.channelChanged(channel), in: region) }
            case .channelRemoved(let entry, let why):
                listDocuments[entry.id] = nil
                emit(.channels, "removed", ["channel": entry.json, "why": .string(why.rawValue)])
                for region in regions.all { regions.control(.channelRemoved(entry.id), in: region) }
            case .streamerAdded(let streamer): emit(.streamers, "added", ["streamer": streamer.json])
            case .streamerChanged(let streamer): emit(.streamers, "changed", ["streamer": streamer.json])
            case .streamerRemoved(let streamer): emit(.streamers, "removed", ["streamer": streamer.json])
            }
        }
        channels.tell(changes)
        tellList(of: changes.filter(\.isOfChannels))
    }

    private func document(of entry: ListedChannel) -> JSONValue {
        let document = entry.json
        listDocuments[entry.id] = document
        return document
    }

    /// The sorted names of the members that differ.
    private static func difference(_ before: JSONValue, _ after: JSONValue) -> JSONValue {
        let (before, after) = (before.object ?? [:], after.object ?? [:])
        let names = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        return .array(names.sorted().map { .string($0) })
    }

    /// Schedules one event with the full ordered list and what was added, changed and removed (SVM-31). It covers all
    /// changes within `listPause`, such as those of the many announcements that a box receives when it starts.
    private func tellList(of changes: [LineUpChange]) {
        guard !changes.isEmpty else { return }
        if untoldChanges.isEmpty { after(Self.listPause) { [weak self] in self?.emitLists() } }
        untoldChanges += changes
    }

    private func emitLists() {
        let changes = untoldChanges
        untoldChanges = []
        let all = lineUp.listed
        for kind in Channel.Kind.allCases {
            var sets: [String: [JSONValue]] = ["added": [], "changed": [], "removed": []]
            for change in changes {
                switch change {
                case .channelAdded(let entry) where entry.kind == kind: sets["added"]?.append(.string(entry.id.text))
                case .channelChanged(let entry, _) where entry.kind == kind:
                    sets["changed"]?.append(.string(entry.id.text))
                case .channelRemoved(let entry, _) where entry.kind == kind:
                    sets["removed"]?.append(.string(entry.id.text))
                default: continue
                }
            }
            guard sets.values.contains(where: { !$0.isEmpty }) else { continue }
            var payload = sets.mapValues { JSONValue.array($0) }
            payload["channels"] = .array(all.filter { $0.kind == kind }.map { listDocuments[$0.id] ?? $0.json })
            emit(.channels, kind.rawValue, .object(payload))
        }
    }

    /// Called once, late enough for every channel that is sent to have been announced.
    private func warnOfUnknownNames() {
        let names = lineUp.unknownNames
        guard !names.isEmpty else { return }
        log.announcements(
            .warning, "lineUp of the settings names what is not there",
            ["count": names.count, "names": names.prefix(16).joined(separator: ", ")])
    }

    // MARK: Lock

    /// Why playback is locked; nil if it is not.
    var lock: Status? { health.lock }

    /// Stops what plays outside the venue, and tunes it again inside.
    func lockChanged() {
        guard settings.health.locksOutside else { return }
        guard lock != nil else { return tuneAwaited() }
        for region in regions.all where region.player.isOpen {
            let played = region.tunedPlaylist ?? region.player.current?.source.channel?.id
            regions.stop(region)
            region.awaitsChannel = played?.text
        }
    }

    // MARK: Commands

    func listedChannels(_ request: CommandRequest) -> JSONValue {
        let kind = request.text("kind").flatMap(Channel.Kind.init(rawValue:))
        let group = request.text("group")
        let listed = lineUp.listed.filter { entry in
            (kind == nil || entry.kind == kind) && (group.map(entry.groups.contains) ?? true)
                && (entry.isFavourite || !request.isSet("favourites"))
                && (!entry.isHidden || request.isSet("hidden"))
        }
        return [
            "channels": .array(
                listed.map { entry in
                    var document = listDocuments[entry.id] ?? entry.json
                    let now = nowNext.current[entry.id]?.now
                    document["now"] = now.map { BroadcastAnswer($0, in: zone.rules).json } ?? .null
                    return document
                })
        ]
    }

    func tune(_ text: String, in region: RegionPlayer) -> Result<JSONValue, Status> {
        do throws(Status) {
            return tune(try tunable(text), in: region)
        } catch {
            return .failure(error)
        }
    }

    func tunable(_ text: String) throws(Status) -> ListedChannel {
        let entry = try lineUp.entry(of: text)
        guard entry.kind == .video else {
            throw .failure(
                .failed, "channel '\(entry.name)' is a \(entry.kind.rawValue) channel: expected a video channel")
        }
        return entry
    }

    func zap(_ direction: LineUp.Direction, in region: RegionPlayer) -> Result<JSONValue, Status> {
        let current = region.player.current
        let playlist = current?.isFallback == true ? nil : region.tunedPlaylist
        let here = playlist ?? current?.source.channel?.id
        guard let entry = lineUp.neighbour(of: here, direction) else {
            return .failure(.failure(.failed, "the line-up shows no channel: expected one to go to"))
        }
        return tune(entry, in: region)
    }

    /// Tunes each region to the channel that it awaits, if the line-up has it.
    func tuneAwaited() {
        for region in regions.all {
            guard let text = region.awaitsChannel, let entry = lineUp.entry(matching: text), entry.kind == .video
            else { continue }
            _ = tune(entry, in: region)
        }
    }

    private func tune(_ entry: ListedChannel, in region: RegionPlayer) -> Result<JSONValue, Status> {
        if let lock { return .failure(lock) }
        guard regions.admitsSession(in: region) else { return .failure(regions.sessionLimitReached) }
        region.awaitsChannel = nil
        switch entry.content {
        case .channel(let channel):
            region.tunedPlaylist = nil
            regions.control(.tune(channel), in: region)
            guard region.player.current?.source.channel?.id == entry.id else {
                return .failure(.failure(.failed, "channel '\(entry.name)' could not be joined"))
            }
        case .playlist(let name):
            guard let playlist = settings.playlists.first(where: { $0.name == name }) else {
                preconditionFailure("a playlist is listed that the settings do not have")
            }
            region.tunedPlaylist = entry.id
            regions.control(.setVideos(playlist.videos), in: region)
            regions.control(.play, in: region)
        }
        return .success(["channel": .string(entry.name), "number": .integer(Int64(entry.number))])
    }
}
