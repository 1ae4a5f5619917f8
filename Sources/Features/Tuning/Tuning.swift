// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Journal
import LineUp
import Playback
import Programming
import Reporting
import Settings
import Time
import Venue

/// The feature that plays channels and playlists in the regions of the stage: tuning (SVM-56), seeks (SVM-57…63), events
/// (SVM-78…88) and playlists (PLAY-05).
public final class Tuning: Feature {
    public static let summary = """
        channels and playlists played in the regions: tuned, paused, sought, by command and by themselves; the \
        commands `tune`, `programs`, `play`, `live` and their like
        """

    /// What Tuning needs of the media threads. The product provides this value.
    public struct Sources {
        /// Called when a command moves or holds what plays in `main`, so that the screen shows where it is (SVM-68).
        public var transportAsked: () -> Void

        public init(transportAsked: @escaping () -> Void) { self.transportAsked = transportAsked }
    }

    public static var commands: [Handler<Tuning>] {
        [
            Handler(Tune.self), Handler(ChannelUp.self), Handler(ChannelDown.self), Handler(Stop.self),
            Handler(Play.self), Handler(Pause.self), Handler(SeekAbsolute.self), Handler(SeekRelative.self),
            Handler(Rewind.self), Handler(GoLive.self), Handler(PlayNext.self), Handler(PlayPlaylist.self),
            Handler(ListPlaylists.self), Handler(ChooseProgram.self), Handler(ShowPosition.self),
            Handler(ListStreams.self), Handler(ListPrograms.self), Handler(SetVisible.self), Handler(Move.self),
            Handler(SetBackground.self),
        ]
    }

    public static var events: [EventDescription] {
        PlaybackAnnouncer.events
            + [
                EventDescription(ProgramsChanged.self), EventDescription(HistoryCut.self),
                EventDescription(SessionMoved.self), EventDescription(SessionRefused.self),
            ]
    }

    let regions: RegionDirectory
    let sources: Sources
    private var settings: Settings
    let lineUp: LineUpView
    let programs: ProgramView
    let context: FeatureContext
    private let health: HealthView
    let log: Log
    /// Regions that await a channel for which there is no room, with the channel.
    private var refused: [String: String] = [:]

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        regions = context.provided(RegionDirectory.self)
        sources = context.provided(Sources.self)
        settings = context.provided(Settings.self)
        lineUp = context.provided(LineUpView.self)
        programs = context.provided(ProgramView.self)
        health = context.provided(HealthView.self)
        log = context.journal.log(for: "playback")
        for (delivery, provider) in Self.providers(lineUp) { regions.setProvider(of: delivery, provider) }
        regions.emitRefusal = { [weak self] in self?.tell($0) }
        regions.main.awaitsChannel = settings.playback.autoTune
        regions.tuner = self
        regions.lock = { [health] in health.lock }
        health.subscribe { [unowned self] before in
            if (before.missedVenue == nil) != (health.lock == nil) { lockChanged() }
        }
        regions.addConsumer(PlaybackAnnouncer(context).consumer)
        regions.addConsumer(
            SessionConsumer(
                "programs",
                emitted: { [weak self] event, region in
                    if case .programsChanged(_, let programs) = event { self?.heard(programs, in: region) }
                }))
        lineUp.subscribe { [unowned self] in take($0) }
        context.settings.follow(["playback", "playlists", "health"]) { [weak self] new, old in
            self?.apply(new, insteadOf: old)
        }
    }

    /// Tunes the channels that the settings name.
    public func start() { tuneAwaited() }

    public func tick(at now: Monotonic) {
        regions.tick()
        // A session that has ended may have made room.
        if !refused.isEmpty { tuneAwaited() }
    }

    /// Closes what plays.
    public func stop() { for region in regions.all { regions.control(.stop, in: region) } }

    /// To be called when memory for histories was short at the opening of a session.
    public func historyCut(_ cut: HistoryCut) {
        log(
            .warning, "little memory for histories",
            [
                "session": cut.session, "channel": cut.channel, "wanted": cut.wanted, "granted": cut.granted,
                "shed": cut.shed.joined(separator: ", "),
            ])
        var told = cut
        told.region = regions.region(of: cut.session).flatMap { $0.isMain ? nil : $0.name }
        context.emit(told)
    }

    /// Stops what plays outside the venue, and tunes it again inside (SVM-99).
    private func lockChanged() {
        guard regions.lock() != nil else { return tuneAwaited() }
        for region in regions.all where region.player.isOpen {
            let tuned = region.tuned
            regions.stop(region)
            region.tuneLater(tuned)
        }
    }

    /// Providers of the sources that this feature plays, by delivery (PLAY-19, 22).
    private static func providers(_ lineUp: LineUpView) -> [Source.Delivery: (Source) -> SessionSource?] {
        func file(_ source: Source) -> SessionSource? {
            source.location.utf8.first == UInt8(ascii: "/") ? .file(path: source.location) : nil
        }
        return [
            .multicast: { source in
                lineUp.current.entry(matching: source.location)?.channel.flatMap {
                    $0.kind == .video ? .live($0) : nil
                }
            }, .file: file, .mp4: file,
        ]
    }

    private func tell(_ refusal: RegionDirectory.Refusal) {
        log(.warning, "not played", ["what": refusal.what, "region": refusal.region ?? "", "why": refusal.why])
        context.emit(SessionRefused(refusal: refusal))
    }

    // MARK: Settings

    /// What plays goes on. A channel that is to be tuned at start is tuned now if nothing else was.
    private func apply(_ new: Settings, insteadOf old: Settings) {
        settings = new
        regions.sessionLimit = new.playback.sessionLimit
        regions.bandwidthLimitKbps = new.playback.bandwidthLimitKbps
        regions.setPolicy(PlaybackPolicy(new))
        guard new.playback.autoTune != old.playback.autoTune, !regions.main.player.isOpen else { return }
        regions.main.awaitsChannel = new.playback.autoTune
        tuneAwaited()
    }

    // MARK: Changes of the line-up

    private func take(_ changes: [LineUpChange]) {
        if changes.contains(where: { if case .channelAdded = $0 { true } else { false } }) { tuneAwaited() }
        for change in changes {
            if case .channelRemoved(let entry, _) = change, lineUp.current[entry.id] == nil {
                programs.current.remove(entry.id)
            }
            guard let input = input(of: change) else { continue }
            for region in regions.all {
                let lost = lost(by: input, in: region)
                regions.control(input, in: region)
                // A head-end that was not heard for a while, or has started again, is not the end of its channels.
                if let lost, region.player.current?.isFallback ?? true { region.tuneLater(lost) }
            }
        }
    }

    /// The channel that the region loses; nil if it plays another, a playlist, or what it falls back to.
    private func lost(by input: PlaybackController.Input, in region: RegionPlayer) -> RegionPlayer.Tuned? {
        guard case .channelRemoved(let id) = input, region.tunedPlaylist == nil,
            let session = region.player.current, !session.isFallback, session.source.channel?.id == id
        else { return nil }
        return region.tuned
    }

    /// What a change means to what plays. Several changes of a channel may be told together: what the line-up has of it
    /// now counts, because it may have been tuned as such already.
    private func input(of change: LineUpChange) -> PlaybackController.Input? {
        let channel = change.channel.flatMap { lineUp.current[$0]?.channel }
        return switch change {
        case .channelAdded: channel.flatMap { $0.kind == .video ? .channelAdded($0) : nil }
        case .channelChanged: channel.map { .channelChanged($0) }
        case .channelRemoved(let entry, _): channel.map { .channelChanged($0) } ?? .channelRemoved(entry.id)
        case .streamerAdded, .streamerChanged, .streamerRemoved: nil
        }
    }

    // MARK: Tuning

    /// - Parameter program: nil for the program of the channel.
    func tune(
        _ entry: ListedChannel, program: ProgramChoice? = nil, in region: RegionPlayer
    ) throws(Status) {
        if let program {
            guard let channel = entry.channel else {
                throw .failure(.failed, "'\(entry.name)' is a playlist: expected a channel for program \(program.text)")
            }
            try check(program, of: channel)
        }
        try checkAdmitted(source(of: entry), called: entry.name, in: region)
        region.awaitsChannel = nil
        switch entry.content {
        case .channel(let channel):
            region.tunedPlaylist = nil
            regions.control(.tune(channel, program: program), in: region)
            guard region.player.current?.source.channel?.id == entry.id else {
                throw .failure(.failed, "channel '\(entry.name)' could not be joined")
            }
        case .playlist(let name):
            region.tunedPlaylist = entry.id
            regions.control(.setVideos(try playlist(name).videos), in: region)
            regions.control(.play, in: region)
        }
    }

    func zap(_ direction: LineUp.Direction, in region: RegionPlayer) throws(Status) -> ListedChannel {
        let current = region.player.current
        let playlist = current?.isFallback == true ? nil : region.tunedPlaylist
        guard let entry = lineUp.current.neighbour(of: playlist ?? current?.source.channel?.id, direction) else {
            throw .failure(.failed, "the line-up shows no channel: expected one to go to")
        }
        try tune(entry, in: region)
        return entry
    }

    /// The entry of the line-up that a person means, and the program if it is that of a program.
    func tunable(_ text: String) throws(Status) -> (entry: ListedChannel, program: ProgramChoice?) {
        if lineUp.current.entry(matching: text) == nil, let owner = try channel(withProgram: text) {
            return (owner, .name(text))
        }
        let entry = try lineUp.current.entry(of: text)
        guard entry.kind == .video else {
            throw .failure(
                .failed, "channel '\(entry.name)' is a \(entry.kind.rawValue) channel: expected a video channel")
        }
        return (entry, nil)
    }

    private func checkAdmitted(
        _ source: SessionSource?, called what: String, in region: RegionPlayer
    ) throws(Status) {
        if let locked = regions.lock() { throw locked }
        try regions.admit(source, called: what, in: region)
    }

    /// What would play first of the entry; nil if nothing of it can be played.
    private func source(of entry: ListedChannel) -> SessionSource? {
        switch entry.content {
        case .channel(let channel): .live(channel)
        case .playlist(let name): playlists.first { $0.name == name }.flatMap { source(of: $0) }
        }
    }

    private func source(of playlist: Playlist) -> SessionSource? {
        let policy = regions.policy
        return playlist.videos.lazy.compactMap { [regions] in
            policy.source(of: $0, offer: regions.offer)?.leadsTo
        }.first
    }

    // MARK: Playlists

    var playlists: [Playlist] { settings.playlists }

    func play(playlist name: String, in region: RegionPlayer) throws(Status) {
        let playlist = try playlist(name)
        try checkAdmitted(source(of: playlist), called: name, in: region)
        region.awaitsChannel = nil
        region.tunedPlaylist = .playlist(name)
        regions.control(.setVideos(playlist.videos), in: region)
    }

    private func playlist(_ name: String) throws(Status) -> Playlist {
        if let found = playlists.first(where: { $0.name == name }) { return found }
        let known = playlists.map(\.name).prefix(8).joined(separator: ", ")
        throw .failure(
            .failed, "playlist '\(name)' is not in the settings: expected one of \(known.isEmpty ? "none" : known)")
    }
}

extension Tuning: ChannelTuner {
    public func checkTunable(_ text: String) throws(Status) { _ = try tunable(text) }

    public func tune(_ text: String, in region: RegionPlayer) throws(Status) {
        let found = try tunable(text)
        try tune(found.entry, program: found.program, in: region)
    }

    /// A region may wait for the room that another one makes, so that those without room are tried twice.
    public func tuneAwaited() {
        if !tuneWhereAdmitted().isEmpty {
            let left = tuneWhereAdmitted()
            for (region, channel, why) in left where refused[region] != channel {
                tell(RegionDirectory.Refusal(channel, in: region, why: why))
            }
            refused = Dictionary(left.map { ($0.region, $0.channel) }, uniquingKeysWith: { $1 })
        } else {
            refused = [:]
        }
    }

    /// - Returns: the regions that go on waiting because there is no room for their channel, and why.
    private func tuneWhereAdmitted() -> [(region: String, channel: String, why: String)] {
        var left: [(region: String, channel: String, why: String)] = []
        for region in regions.all {
            guard let text = region.awaitsChannel, let entry = lineUp.current.entry(matching: text),
                entry.kind == .video, regions.lock() == nil
            else { continue }
            if let refusal = regions.refusal(of: source(of: entry), in: region) {
                left.append((region.name, entry.name, refusal.errorString))
            } else {
                // Why it could not be tuned was emitted as an event.
                try? tune(entry, program: region.awaitsProgram, in: region)
            }
        }
        return left
    }
}
