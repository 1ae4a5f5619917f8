// SPDX-License-Identifier: Apache-2.0
import Commands
import CompanionScreens
import Hosting
import Journal
import Playback
import Synchronisation
import System
import Time
import Timelines
import Venue

/// The feature that holds what the box plays to the timeline of a television or of another box (CSS-01).
///
/// One television is followed. What plays in the main region is held to its timeline, whatever it is.
public final class Sync: Feature {
    public static let summary = """
        pictures and sound held to the timeline of a television, by DVB-CSS; the commands `sync`, `sync-join`, \
        `sync-leave`, `sync-calibrate`, `sync-find`, `sync-cii`; boxes that elect whom all follow: `sync-group`, \
        `sync-group-move`
        """

    public static var commands: [Handler<Sync>] {
        [
            Handler(ShowSync.self), Handler(JoinTelevision.self), Handler(LeaveTelevision.self),
            Handler(Calibrate.self), Handler(ShowGroup.self), Handler(MoveGroup.self),
            Handler(ListTelevisions.self), Handler(ReadInformation.self),
        ]
    }
    public static var sections: [SectionDescription] { [SectionDescription(SyncSettings.self)] }
    public static var events: [EventDescription] {
        [
            EventDescription(SyncStateChanged.self), EventDescription(TelevisionChanged.self),
            EventDescription(LeaderChanged.self),
            EventDescription(TelevisionOnLink.self),
        ]
    }

    /// How often the session is measured and corrected.
    private static let pause = Nanoseconds.milliseconds(100)
    /// Seconds for which a box of a group may play nothing. Then it leaves.
    private static let patience = 5

    let context: FeatureContext
    let log: Log
    let regions: RegionDirectory
    private let view: TimelineView
    /// Identity of this box.
    let box: String
    private(set) var settings: SyncSettings
    let readers: InformationReaders
    private(set) lazy var discovery = LinkDiscovery(context, log) { [weak self] in self?.connect() }
    private enum Choice {
        case bySettings
        /// nil follows nobody.
        case byCommand(CompanionSettings?)
    }

    private var choice = Choice.bySettings
    private var commandedCalibration: Nanoseconds?
    private(set) var link: TelevisionLink?
    private(set) var followed: CompanionSettings?
    var session: FollowingSession?
    private(set) var leading: LeadingBox?
    /// What the stream of the session in `main` says of timelines that it carries.
    private var carried: (session: Int, timelines: [CarriedTimeline.ID: CarriedTimeline])?
    var group: GroupMember?
    /// What the session is held to while the leader of the group is silent, or not there yet.
    var held: HeldTimeline?
    /// nil before the start and after the stop.
    private var ending: ThreadEnding?
    /// Whether former services still have their ports.
    private var isClosing = false
    /// An address that is not there yet, after a power cut for example, comes later.
    private var serving = Retry()
    private var connecting = Retry()
    private var timer: EventLoop.Timer?
    /// Nobody is followed or served before the start and after the stop, whatever the settings say.
    private var isRunning = false
    /// Seconds since the main region played a channel.
    private var idle = 0

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "sync")
        regions = context.provided(RegionDirectory.self)
        box = context.provided(BoxIdentity.self).id
        view = context.provided(TimelineView.self)
        settings = context.settings.running[SyncSettings.self]
        readers = InformationReaders(loop: context.loop)
        context.settings.follow(SyncSettings.self) { [weak self] settings in self?.apply(settings) }
        regions.addConsumer(
            SessionConsumer(
                "sync", opening: { [weak self] session, region in if region.isMain { self?.hold(session.id) } },
                reported: { [weak self] report, _ in
                    if case .timelineTold(let session, let timeline) = report { self?.heard(timeline, in: session) }
                },
                emitted: { [weak self] _, region in if region.isMain { self?.leading?.publish() } },
                ended: { [weak self] session, _, _ in self?.ended(session.id) },
                exchanged: { [weak self] in if $0.isMain || $1.isMain { self?.mainExchanged() } }))
    }

    public func start() {
        do throws(SystemCallError) {
            ending = try ThreadEnding(loop: context.loop)
        } catch {
            log(.error, "nobody is followed or served", ["error": error])
            return
        }
        isRunning = true
        regions.headroom = settings.serve.headroom
        log(.debug, "begins", ["follows": target?.text ?? "nobody", "serves": settings.serve.places != nil])
        attachStatistics()
        discovery.start()
        connect()
        serve()
    }

    public func stop() {
        isRunning = false
        readers.stop()
        discovery.stop()
        serve()
        disconnect()
        followed = nil
        ending?.stop()
        ending = nil
    }

    // MARK: Whom to follow

    private var target: CompanionSettings? {
        if settings.group.isUsed { return group?.target }
        return switch choice {
        case .bySettings: settings.companion ?? foundCompanion
        case .byCommand(let companion): companion
        }
    }

    private func apply(_ new: SyncSettings) {
        let (before, link) = (configuration, link)
        let servesElsewhere = new.serve.places != settings.serve.places || new.group != settings.group
        settings = new
        regions.headroom = new.serve.headroom
        if servesElsewhere { serve() }
        commandedCalibration = nil
        choice = .bySettings
        discovery.apply(new, served: leading?.informationURL)
        connect()
        guard link === self.link else { return }
        if configuration != before { rehold() } else { follow() }
    }

    /// Follows a television until the settings change.
    /// - Parameter url: of its CSS-CII; nil for the television of the settings.
    /// - Throws: if the settings name none.
    func join(_ url: WebSocketURL?) throws(Status) {
        try refuseInGroup()
        if let url {
            var described = settings
            described.television = url
            choice = .byCommand(described.companion)
        } else {
            guard settings.companion != nil || settings.discovery.searches else {
                throw .failure(.failed, "the settings name no television: expected a URL, or sync.television")
            }
            choice = .bySettings
        }
        connect()
    }

    /// Follows nobody until the settings change.
    func leave() throws(Status) {
        try refuseInGroup()
        choice = .byCommand(nil)
        connect()
    }

    private func refuseInGroup() throws(Status) {
        guard settings.group.isUsed else { return }
        throw .failure(
            .failed, "the group '\(settings.group.name)' says whom the box follows: expected no sync.group.name")
    }

    func calibrate(_ delay: Nanoseconds) {
        commandedCalibration = delay
        rehold()
    }

    /// - Parameter continues: the session stays with what is held until the television's timeline is there.
    func connect(continues: Bool = false) {
        guard isRunning, target != followed else { return }
        disconnect(continues: continues)
        guard let target else { return connecting.reset() }
        do throws(SystemCallError) {
            let link = try TelevisionLink(target, loop: context.loop) { [weak self] in self?.handle($0) }
            self.link = link
            followed = target
            if timer == nil { timer = context.loop.every(Self.pause) { [weak self] in self?.look() } }
            link.start()
            if session == nil { rehold() }
            connecting.reset()
        } catch {
            if connecting.failed("\(error)", at: regions.environment.now()) {
                log(.error, "nobody is followed", ["error": error])
            }
        }
    }

    func disconnect(continues: Bool = false) {
        if !continues {
            if let timer { context.loop.cancel(timer) }
            timer = nil
            session?.stop()
            session = nil
            held = nil
            view.medium = nil
        }
        if let ending { link?.stop(by: ending) }
        link = nil
        followed = nil
    }

    /// Follows and serves anew, because what was measured of other clocks is wrong: this one stood still while the machine
    /// was suspended (SVM-04).
    public func resynchronise() {
        guard isRunning else { return }
        disconnect()
        serve()
        connect()
    }

    // MARK: Who follows

    /// Serves as the settings say, as soon as the ports of before are free.
    private func serve() {
        defer { discovery.apply(settings, served: leading?.informationURL) }
        group?.stop()
        group = nil
        if let leading, let ending {
            self.leading = nil
            isClosing = true
            leading.stop(by: ending) { [weak self] in
                self?.isClosing = false
                self?.serve()
            }
        }
        guard isRunning, !isClosing, let places = settings.serve.places else { return serving.reset() }
        do throws(SystemCallError) {
            let leading = try LeadingBox(at: places, regions, loop: context.loop)
            self.leading = leading
            serving.reset()
            log(.notice, "the timeline is served", ["cii": leading.url ?? ""])
            if settings.group.isUsed {
                leading.setOpen(false)
                attend()
            }
        } catch {
            guard serving.failed("\(error)", at: regions.environment.now()) else { return }
            log(.error, "the timeline is not served", ["error": error])
            tell(.notServed, nil, ["\(error)"])
        }
    }

    public func tick(at now: Monotonic) {
        if serving.isDue(at: now) { serve() }
        if connecting.isDue(at: now) { connect() }
        attend()
        discovery.tick(fits: fits, at: now)
    }

    /// A box is in its group while it plays a channel: one that shows nothing would be of no use to those that follow it.
    private func attend() {
        guard isRunning, settings.group.isUsed, let leading, let places = settings.serve.places else { return }
        idle = regions.main.player.current?.source.channel == nil ? idle + 1 : 0
        if idle == 0, group == nil {
            join(settings.group, with: leading, at: places.addresses)
        } else if idle > Self.patience, group != nil {
            group?.stop()
            group = nil
            leading.setOpen(false)
            disconnect()
        }
    }

    // MARK: The session

    private func rehold() {
        guard let id = regions.main.player.current?.id else { return }
        session?.stop()
        hold(id)
    }

    /// `main` has another session, or none. The one that was held plays on by itself.
    private func mainExchanged() {
        if let before = session {
            before.stop()
            ended(before.id)
        }
        rehold()
        leading?.publish()
    }

    private func hold(_ id: Int) {
        guard link != nil || held != nil else { return }
        let session = FollowingSession(
            id, in: regions.main, of: regions, configuration, medium: medium ?? settings.medium(of: nil)
        ) {
            [weak self] in self?.tell($0, of: id)
        }
        self.session = session
        session.start()
        follow()
    }

    /// The session is closed, so that nothing is done to it any more.
    private func ended(_ id: Int) {
        guard session?.id == id else { return }
        session = nil
        tell(.stopped, of: id)
    }

    private func look() {
        guard let session else { return }
        remember()
        // Nothing is held for ever.
        if link?.timeline == nil { follow() }
        session.look(by: link?.timeline == nil ? held?.clock : link?.wallClock.clock)
        guard let link else { return }
        if let presented = session.presented { link.presented(presented) }
        group?.looked(isLocked: isLocked, clock: link.wallClock.requests, at: regions.environment.now())
    }

    func follow() {
        if let timeline = link?.timeline {
            follow(isContentOwn ? timeline : nil, medium)
        } else if let held, held.isValid(at: regions.environment.now()) {
            follow(held.timeline, held.medium)
        } else {
            held = nil
            follow(nil, medium)
        }
    }

    /// - Parameters:
    ///   - timeline: nil while it is not available.
    ///   - medium: nil while it is not known how the timeline relates to the medium.
    private func follow(_ timeline: FollowedTimeline?, _ medium: ClockCorrelation?) {
        guard let timeline, let medium else {
            view.medium = nil
            session?.follow(nil, medium: settings.medium(of: nil))
            return
        }
        view.medium = MediaTimeline.stamps(of: medium, at: timeline.rate)
        session?.follow(timeline, medium: medium)
    }

    /// The stream that a session plays says where a timeline is that it carries. That of `main` counts.
    private func heard(_ timeline: CarriedTimeline, in session: Int) {
        guard regions.main.player.current?.id == session else { return }
        var timelines = carried?.session == session ? carried?.timelines ?? [:] : [:]
        timelines[timeline.id] = timeline
        carried = (session, timelines)
        follow()
    }

    /// nil while it is not known how the timeline relates to the medium.
    var medium: ClockCorrelation? {
        let isOfSession = carried?.session == regions.main.player.current?.id
        return settings.medium(
            of: link?.information?.contentID, on: link?.timeline, carried: isOfSession ? carried?.timelines ?? [:] : [:]
        )
    }

    var configuration: SyncConfiguration {
        var configuration = settings.configuration
        if let commandedCalibration { configuration.outputDelay = commandedCalibration }
        return configuration
    }

    func tell(_ state: SyncControllerState, of id: Int) {
        log(.info, "state", ["state": state.name, "session": id])
        context.emit(SyncStateChanged(state: state.rawValue, name: state.name, session: id))
    }
}
