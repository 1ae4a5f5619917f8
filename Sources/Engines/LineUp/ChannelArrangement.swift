// SPDX-License-Identifier: Apache-2.0
import Settings
import Venue

/// The settings section `lineUp` as it applies to this box, indexed so that no question about a channel needs a search.
public struct ChannelArrangement: Equatable, Sendable {
    /// What settings can name a channel by: its id, its own name, or the name that the list gives it, in this order.
    private typealias Key = String

    /// A channel's place in the views of this box.
    private struct Place: Hashable {
        /// Index of the view; the first that shows the channel.
        var view: Int
        /// nil when the channel keeps its own number.
        var number: Int?
    }

    private var overrides: [Key: Settings.LineUp.Override] = [:]
    /// nil when no view applies to this box, so that everything is shown.
    private var shown: [Key: Place]?
    /// Places of channels that a view shows by their group; the key is the name of the override that sets the group.
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

    /// - Parameter numbers: numbers of the channels that the settings define.
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
            // A channel that is listed itself has its place there, by whichever of its names it is listed.
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

    /// The list's entry for the channel; its number is still 0.
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
            isFavourite: override?.isFavourite ?? false, isHidden: override?.isHidden ?? false,
            logo: override?.logo, content: content)
        if shown != nil, place(of: entry) == nil { entry.isHidden = true }
        return entry
    }

    /// - Returns: nil for an entry that comes without a number: an SDP session, which has a large session id, or a
    ///   playlist.
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

    /// Sorts entries into the order of the list, in which they are shown and zapped through.
    func sorted(_ entries: some Sequence<ListedChannel>) -> [ListedChannel] {
        guard !isByName else { return entries.sorted { ($0.name, $0.number) < ($1.name, $1.number) } }
        return entries.map { (rank: rank(of: $0), entry: $0) }
            .sorted { ($0.rank, $0.entry.number) < ($1.rank, $1.entry.number) }
            .map(\.entry)
    }

    /// Names in the settings that no entry has: mistyped, or not announced yet. Sorted.
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
