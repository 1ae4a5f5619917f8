// SPDX-License-Identifier: Apache-2.0
import Settings
import Venue

/// `lineUp` of the settings as one box has it, ready to be asked about a channel without a search.
public struct ChannelArrangement: Equatable, Sendable {
    /// Stands for a channel: its id, its own name, the name that the list gives it, in this order.
    private typealias Key = String

    /// In the views of the box.
    private struct Place: Hashable {
        /// Which of them; of several the first counts.
        var view: Int
        /// Nil: the channel's own.
        var number: Int?
    }

    private var overrides: [Key: Settings.LineUp.Override] = [:]
    /// Nil: no view is the box's, all is shown.
    private var shown: [Key: Place]?
    /// By the override that puts a channel in a group of a view.
    private var shownByGroup: [Key: Place] = [:]
    private var configuredNumbers: [Channel.ID: Int] = [:]
    private var ranks: [Key: Int] = [:]
    private var isByName = false

    public init() {}

    public init(_ settings: Settings) {
        self.init(
            settings.lineUp, tags: settings.boxTags,
            numbers: settings.channels.compactMap { entry in entry.number.map { (entry.channel.id, $0) } })
    }

    /// - Parameter numbers: of the settings' own channels.
    public init(_ lineUp: Settings.LineUp, tags: [String], numbers: [(Channel.ID, Int)] = []) {
        for override in lineUp.channels where overrides[override.channel] == nil {
            overrides[override.channel] = override
        }
        configuredNumbers = Dictionary(numbers) { first, _ in first }
        switch lineUp.order {
        case .number: break
        case .name: isByName = true
        case .list(let channels):
            for (rank, channel) in channels.enumerated() where ranks[channel] == nil { ranks[channel] = rank }
        }
        let views = lineUp.views.filter { tags.contains($0.tag) }
        guard !views.isEmpty else { return }
        var shown: [Key: Place] = [:]
        for (index, view) in views.enumerated() {
            let groups = Set(view.groups)
            // A channel that is listed by itself has its place there, whichever of its names stands there.
            let listed = Set(view.channels)
            let others = lineUp.channels.filter { override in
                !groups.isDisjoint(with: override.groups) && !listed.contains(override.channel)
                    && !listed.contains(override.name ?? override.channel)
            }
            let first = view.firstNumber
            for (offset, key) in view.channels.enumerated() where shown[key] == nil {
                shown[key] = Place(view: index, number: first.map { $0 + offset })
            }
            for (offset, override) in others.enumerated() where shownByGroup[override.channel] == nil {
                shownByGroup[override.channel] = Place(
                    view: index, number: first.map { $0 + view.channels.count + offset })
            }
        }
        self.shown = shown
    }

    // MARK: Questions

    /// The channel as it is listed, its number still to be given.
    func listed(_ channel: Channel) -> ListedChannel {
        var renamed = channel
        let override = override(of: channel.id, channel.name)
        if let name = override?.name { renamed.name = name }
        return listed(channel.id, renamed.name, ownName: channel.name, override, .channel(renamed))
    }

    func listed(playlist name: String) -> ListedChannel {
        let id = Channel.ID.playlist(name)
        let override = overrides[id.text]
        return listed(id, override?.name ?? name, ownName: name, override, .playlist(name))
    }

    private func listed(
        _ id: Channel.ID, _ name: String, ownName: String, _ override: Settings.LineUp.Override?,
        _ content: ListedChannel.Content
    ) -> ListedChannel {
        var entry = ListedChannel(
            id: id, number: 0, name: name, ownName: ownName, groups: override?.groups ?? [],
            isFavourite: override?.isFavourite ?? false, isHidden: override?.isHidden ?? false, content: content)
        if shown != nil, place(of: entry) == nil { entry.isHidden = true }
        return entry
    }

    /// - Returns: nil for what comes without a number: SDP sessions are named by large ones, playlists by none.
    func claim(of entry: ListedChannel) -> NumberClaim? {
        func claim(_ number: Int, _ ground: NumberClaim.Ground) -> NumberClaim {
            NumberClaim(
                number: number, ground: ground, streamer: entry.channel?.streamer?.text ?? "",
                session: entry.channel?.sessionNumber ?? 0, id: entry.id)
        }
        if let number = place(of: entry)?.number { return claim(number, .view) }
        if let number = override(of: entry)?.number { return claim(number, .override) }
        if let number = configuredNumbers[entry.id] { return claim(number, .configured) }
        guard let channel = entry.channel, channel.streamer != nil, (1...9_999).contains(channel.sessionNumber)
        else { return nil }
        return claim(Int(channel.sessionNumber), .announced)
    }

    /// In the order of the list, for eyes and for zapping.
    func sorted(_ entries: some Sequence<ListedChannel>) -> [ListedChannel] {
        guard !isByName else { return entries.sorted { ($0.name, $0.number) < ($1.name, $1.number) } }
        return entries.map { (rank: rank(of: $0), entry: $0) }
            .sorted { ($0.rank, $0.entry.number) < ($1.rank, $1.entry.number) }
            .map(\.entry)
    }

    /// What settings name and nothing of `entries` is called: mistyped, or not announced yet. Sorted.
    func unknownNames(beside entries: some Sequence<ListedChannel>) -> [String] {
        var unknown = Set(overrides.keys).union(ranks.keys)
        if let shown { unknown.formUnion(shown.keys) }
        for entry in entries {
            for key in keys(of: entry) { unknown.remove(key) }
        }
        return unknown.sorted()
    }

    // MARK: Keys

    private func override(of entry: ListedChannel) -> Settings.LineUp.Override? {
        if case .playlist = entry.content { return overrides[entry.id.text] }
        return override(of: entry.id, entry.ownName)
    }

    private func override(of id: Channel.ID, _ ownName: String) -> Settings.LineUp.Override? {
        overrides[id.text] ?? overrides[ownName]
    }

    private func keys(of entry: ListedChannel) -> [Key] {
        if case .playlist = entry.content { return [entry.id.text] }
        return [entry.id.text, entry.ownName, entry.name]
    }

    private func place(of entry: ListedChannel) -> Place? {
        guard let shown else { return nil }
        let places = keys(of: entry).map { shown[$0] } + [override(of: entry).flatMap { shownByGroup[$0.channel] }]
        return places.compactMap { $0 }.min { $0.view < $1.view }
    }

    private func rank(of entry: ListedChannel) -> Int {
        for key in keys(of: entry) {
            if let rank = ranks[key] { return rank }
        }
        return .max
    }
}
