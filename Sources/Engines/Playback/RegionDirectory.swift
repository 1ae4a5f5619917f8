// SPDX-License-Identifier: Apache-2.0
import Programming
import Scene
import Time
import Venue

/// The regions of the stage and what plays in each. It makes the playback controllers, gives them their inputs and
/// performs their actions (PLAY-01). Providers of sources and consumers of sessions are registered here; whoever plays
/// or watches knows no other way.
///
/// - Thread: the control loop's only.
public final class RegionDirectory {
    /// The region that a command addresses when it names none.
    public let main: RegionPlayer
    /// The regions of the stage, `main` first.
    public private(set) var all: [RegionPlayer]
    public var environment = RegionEnvironment()
    /// The policy of regions that are still to be made.
    public var policy: PlaybackPolicy
    /// The number of sessions that may be open at once (SVM-42).
    public var sessionLimit: Int
    /// Nominal bit rate of the channels that may play at once, kbit/s; nil for no limit (SVM-38).
    public var bandwidthLimitKbps: Int?
    /// Called when a command or a layout is refused because a limit would be exceeded.
    public var emitRefusal: (Refusal) -> Void = { _ in }
    /// How much later than they could sessions of channels present in `main`, for the sake of other boxes.
    public var headroom = Nanoseconds.zero
    /// Why playback is locked; nil if it is not.
    public var lock: () -> Status? = { nil }
    /// nil only before the product has connected it.
    public weak var tuner: (any ChannelTuner)?
    /// Consumers of sessions. They are told, in this order, of every session that begins and ends (PLAY-23).
    private var consumers: [SessionConsumer] = []
    /// Consumers that strategies may add to the sessions of their regions, by name (PLAY-38).
    private var offered: [String: SessionConsumer] = [:]
    /// Providers of sources by their delivery: what a source leads to at this moment; nil if the box cannot play it.
    private var providers: [Source.Delivery: (Source) -> SessionSource?] = [:]
    /// The region of each session that was asked to open, by session number.
    private var playing: [Int: RegionPlayer] = [:]
    /// The number of the newest session.
    private var lastSession = 0
    /// Actions that are still to be performed, in order. Actions that result from one of them are appended.
    private var actions: ArraySlice<(region: RegionPlayer, action: PlaybackController.Action)> = []
    private var isPerforming = false
    private var seeks = SeekTickets()
    /// Whether the next check of sessions that await their sound is scheduled.
    private var listensForSound = false

    private static let listeningPause = Nanoseconds.milliseconds(50)

    public init(_ policy: PlaybackPolicy = PlaybackPolicy(), sessionLimit: Int) {
        self.policy = policy
        self.sessionLimit = sessionLimit
        main = RegionPlayer(RegionPlayer.main, policy, of: nil)
        all = [main]
    }

    // MARK: Registry

    /// The consumer is told of every session that begins from now on.
    public func addConsumer(_ consumer: SessionConsumer) { consumers.append(consumer) }

    /// The consumer is told of the sessions in regions of those strategies that name it.
    public func offerConsumer(_ consumer: SessionConsumer) { offered[consumer.name] = consumer }

    /// All of them, then those that the region's strategy adds.
    private func consumers(of region: RegionPlayer) -> [SessionConsumer] {
        consumers + (region.strategy?.consumers ?? []).compactMap { offered[$0] }
    }

    /// Sources of this delivery are provided so from now on (PLAY-19).
    public func setProvider(of delivery: Source.Delivery, _ provider: @escaping (Source) -> SessionSource?) {
        providers[delivery] = provider
    }

    /// What a source leads to at this moment; nil if the box cannot play it.
    public func offer(_ source: Source) -> SessionSource? { providers[source.delivery]?(source) }

    /// Releases the consumers, the providers and the environment, which may hold this directory. To be called when
    /// nothing plays any more.
    public func disconnect() {
        consumers = []
        offered = [:]
        providers = [:]
        emitRefusal = { _ in }
        environment = RegionEnvironment()
        lock = { nil }
    }

    // MARK: Regions

    /// nil if the stage has no region of this name.
    public subscript(name: String) -> RegionPlayer? { all.first { $0.name == name } }

    /// The region of a session; nil if the session is closed.
    public func region(of session: Int) -> RegionPlayer? { playing[session] }

    /// The region that a command means: the named one, else the region of the session, else `main`.
    /// - Throws: if the stage has no such region, or the session is not the one that is open there.
    public func addressed(region name: String? = nil, session: Int? = nil) throws(Status) -> RegionPlayer {
        var found = main
        if let name {
            guard let named = self[name] else { throw unknownRegion(name) }
            found = named
        }
        guard let session else { return found }
        if name == nil, let owner = playing[session] { found = owner }
        guard found.player.accepts(session: session) else {
            let current = found.player.current.map { "\($0.id)" } ?? "none"
            throw .failure(.failed, "session \(session) is discarded: expected the open one (\(current))")
        }
        return found
    }

    public func unknownRegion(_ name: String) -> Status {
        let known = all.map(\.name).joined(separator: ", ")
        return .failure(.failed, "region '\(name)' is not on the stage: expected one of \(known)")
    }

    /// Replaces the regions beside `main`. A region whose name stays keeps its player; others are made. Regions that
    /// leave are not stopped by this.
    /// - Parameter others: name and strategy of each region beside `main`, in order.
    /// - Returns: the regions that are new, and those that are no longer there.
    public func replace(
        with others: [(name: String, strategy: LayoutStrategy?)]
    ) -> (joining: [RegionPlayer], leaving: [RegionPlayer]) {
        let before = all
        let after = others.map { name, strategy in
            before.first { $0.name == name } ?? makePlayer(name, layout: strategy)
        }
        all = [main] + after
        return (
            after.filter { region in !before.contains { $0 === region } },
            before.filter { region in !all.contains { $0 === region } }
        )
    }

    /// A region with a controller of its own (PLAY-02).
    /// - Parameter layout: the strategy that brings the region; nil if the layout has it.
    private func makePlayer(_ name: String, layout: LayoutStrategy?) -> RegionPlayer {
        RegionPlayer(name, policy, of: layout)
    }

    // MARK: Inputs

    /// Hands an input about a session to the controller of its region. Does nothing if the session is closed.
    public func control(_ input: PlaybackController.Input, of session: Int) {
        if let region = playing[session] { control(input, in: region) }
    }

    /// Hands a report of a session to the consumers, then to the controller of its region. Does nothing if the session is
    /// closed.
    public func take(_ report: PlaybackReport) {
        guard let region = playing[report.session] else { return }
        for consumer in consumers(of: region) { consumer.reported(report, region) }
        control(.report(report), in: region)
    }

    /// Hands an input to a controller and performs all resulting actions before it returns. A call from within an
    /// action only appends its own actions.
    public func control(_ input: PlaybackController.Input, in region: RegionPlayer) {
        let context = PlaybackContext(
            now: environment.now(), position: region.player.current.flatMap { environment.position($0.id) },
            lastSession: lastSession, offer: { [unowned self] in offer($0) })
        actions += region.player.handle(input, in: context).map { (region, $0) }
        lastSession = region.player.lastSession
        guard !isPerforming else { return }
        isPerforming = true
        while let (region, action) = actions.popFirst() { perform(action, in: region) }
        isPerforming = false
        listenForSound()
    }

    /// - Parameter answer: called once, when the picture of the position is on the screen or the seek has failed.
    public func seek(
        _ request: SeekRequest, in region: RegionPlayer, answer: @escaping (Result<SeekOutcome, SeekError>) -> Void
    ) {
        control(.seek(request, ticket: seeks.add(answer)), in: region)
    }

    /// Closes what plays in the region and forgets what would be tuned there later.
    public func stop(_ region: RegionPlayer) {
        region.awaitsChannel = nil
        region.gaveWay = nil
        region.tunedPlaylist = nil
        control(.stop, in: region)
    }

    /// Moves what plays in a region to another one, as it is: the session, its decoder and what it has buffered (SVM-55).
    /// What plays in the other comes here; if nothing does, this region has nothing.
    public func move(_ region: RegionPlayer, to other: RegionPlayer) {
        if !other.player.isOpen { stop(other) }
        region.exchange(with: other)
        for region in [region, other] {
            if let session = region.player.current { playing[session.id] = region }
        }
        environment.exchange(region, other)
        for consumer in consumers { consumer.exchanged(region, other) }
        for region in [region, other] {
            control(.setBackgroundPlayback(region.player.isBackgroundPlaybackAllowed), in: region)
            applyVisibility(of: region)
        }
    }

    /// Tells the controller whether its region is visible. To be called after a part of it has changed.
    public func applyVisibility(of region: RegionPlayer) { control(.setVisible(region.isVisible), in: region) }

    /// Gives `main` and the regions that are still to be made another policy. Their language stays, and so does what the
    /// other regions fall back to.
    public func setPolicy(_ new: PlaybackPolicy) {
        var policy = new
        policy.audioLanguage = self.policy.audioLanguage
        self.policy = policy
        for region in all {
            let before = region.player.policy
            region.player.policy = policy
            region.player.policy.audioLanguage = before.audioLanguage
            if !region.isMain { region.player.policy.fallback = before.fallback }
        }
    }

    /// What the region falls back to when its session ends or fails.
    public func setFallback(_ fallback: PlaybackPolicy.Fallback, of region: RegionPlayer) {
        region.player.policy.fallback = fallback
    }

    /// Opens each channel that plays once more; files play on.
    public func reopenChannels() { for region in all { control(.reopen, in: region) } }

    /// To be called at least once a second.
    public func tick() { for region in all { control(.tick, in: region) } }

    // MARK: Actions

    private func perform(_ action: PlaybackController.Action, in region: RegionPlayer) {
        switch action {
        case .open(let session): open(session, in: region)
        case .perform(let session, let command): environment.perform(session, command)
        case .close(let session):
            let now = environment.now()
            for consumer in consumers(of: region) { consumer.ended(session, region, now) }
            environment.close(session.id)
            playing[session.id] = nil
        case .emit(let event): for consumer in consumers(of: region) { consumer.emitted(event, region) }
        case .answer(let ticket, let result): seeks.take(ticket)?(result)
        case .showSlate: if all.contains(where: { $0 === region }) { environment.showSlate(region) }
        }
    }

    private func open(_ session: PlayingSession, in region: RegionPlayer) {
        playing[session.id] = region
        for consumer in consumers(of: region) { consumer.started(session, region) }
        if let why = refusal(ofOpening: session, in: region) {
            return control(.openFailed(session: session.id, why: why), in: region)
        }
        for consumer in consumers(of: region) { consumer.opening(session, region) }
        if let why = environment.open(session, region) {
            control(.openFailed(session: session.id, why: why), in: region)
        }
    }

    // MARK: Sound alone

    /// Polls the mixer while a session waits for its sound to begin. The stage reports when pictures begin; nobody
    /// reports it for sound alone. Called after each input.
    private func listenForSound() {
        guard !listensForSound, all.contains(where: { $0.player.current?.awaitsSound == true }) else { return }
        listensForSound = true
        environment.after(Self.listeningPause) { [weak self] in
            guard let self else { return }
            listensForSound = false
            for region in all {
                guard let session = region.player.current, session.awaitsSound,
                    let epoch = environment.soundEpoch(session.id)
                else { continue }
                control(.soundPlays(session: session.id, epoch: epoch), in: region)
            }
            listenForSound()
        }
    }
}
