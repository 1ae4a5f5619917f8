// SPDX-License-Identifier: Apache-2.0
import Commands
import CompanionScreens
import Hosting
import Journal
import Playback
import Statistics
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
        `sync-leave`, `sync-calibrate`
        """

    public static var commands: [Handler<Sync>] {
        [Handler(ShowSync.self), Handler(JoinTelevision.self), Handler(LeaveTelevision.self), Handler(Calibrate.self)]
    }
    public static var sections: [SectionDescription] { [SectionDescription(SyncSettings.self)] }
    public static var events: [EventDescription] {
        [EventDescription(SyncStateChanged.self), EventDescription(TelevisionChanged.self)]
    }

    /// How often the session is measured and corrected.
    private static let pause = Nanoseconds.milliseconds(100)

    private let context: FeatureContext
    private let log: Log
    private let regions: RegionDirectory
    private var settings: SyncSettings
    private enum Choice {
        case bySettings
        /// nil follows nobody.
        case byCommand(CompanionSettings?)
    }

    private var choice = Choice.bySettings
    private var commandedCalibration: Nanoseconds?
    private var link: TelevisionLink?
    private var followed: CompanionSettings?
    private var session: FollowingSession?
    private var leading: LeadingBox?
    private var timer: EventLoop.Timer?
    /// Nobody is followed or served before the start and after the stop, whatever the settings say.
    private var isRunning = false

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "sync")
        regions = context.provided(RegionDirectory.self)
        settings = context.settings.running[SyncSettings.self]
        context.settings.follow(SyncSettings.self) { [weak self] settings in self?.apply(settings) }
        regions.addConsumer(
            SessionConsumer(
                "sync", opening: { [weak self] session, region in if region.isMain { self?.hold(session.id) } },
                ended: { [weak self] session, _, _ in self?.ended(session.id) }))
    }

    public func start() {
        isRunning = true
        regions.headroom = settings.serve.headroom
        log(.debug, "begins", ["follows": target?.text ?? "nobody", "serves": settings.serve.places != nil])
        context.statistics.attach(
            StatisticGroup("sync", SyncAccuracy.statistics) { [weak self] in self?.session?.accuracy })
        context.statistics.attach(
            StatisticGroup("wallClock", WallClockRequesterCounters.statistics) { [weak self] in
                self?.link?.wallClock.requests
            })
        connect()
        serve()
    }

    public func stop() {
        isRunning = false
        disconnect()
        followed = nil
        leading?.stop()
        leading = nil
    }

    // MARK: Whom to follow

    private var target: CompanionSettings? {
        switch choice {
        case .bySettings: settings.companion
        case .byCommand(let companion): companion
        }
    }

    private func apply(_ new: SyncSettings) {
        let (before, link) = (configuration, link)
        let servesElsewhere = new.serve.places != settings.serve.places
        settings = new
        regions.headroom = new.serve.headroom
        if servesElsewhere { serve() }
        commandedCalibration = nil
        choice = .bySettings
        connect()
        guard link === self.link else { return }
        if configuration != before { rehold() } else { follow() }
    }

    /// Follows a television until the settings change.
    /// - Parameter url: of its CSS-CII; nil for the television of the settings.
    /// - Throws: if the settings name none.
    func join(_ url: WebSocketURL?) throws(Status) {
        if let url {
            var described = settings
            described.television = url
            choice = .byCommand(described.companion)
        } else {
            guard settings.companion != nil else {
                throw .failure(.failed, "the settings name no television: expected a URL, or sync.television")
            }
            choice = .bySettings
        }
        connect()
    }

    /// Follows nobody until the settings change.
    func leave() {
        choice = .byCommand(nil)
        connect()
    }

    func calibrate(_ delay: Nanoseconds) {
        commandedCalibration = delay
        rehold()
    }

    private func connect() {
        guard isRunning, target != followed else { return }
        disconnect()
        followed = nil
        guard let target else { return }
        do throws(SystemCallError) {
            let link = try TelevisionLink(target, loop: context.loop) { [weak self] in self?.handle($0) }
            self.link = link
            followed = target
            timer = context.loop.every(Self.pause) { [weak self] in self?.look() }
            link.start()
            rehold()
        } catch {
            // The next command or change of the settings tries it again.
            log(.error, "nobody is followed", ["error": error])
        }
    }

    private func disconnect() {
        if let timer { context.loop.cancel(timer) }
        timer = nil
        session?.stop()
        session = nil
        link?.stop()
        link = nil
    }

    // MARK: Who follows

    private func serve() {
        leading?.stop()
        leading = nil
        guard isRunning, let places = settings.serve.places else { return }
        do throws(SystemCallError) {
            let leading = try LeadingBox(at: places, regions, loop: context.loop)
            self.leading = leading
            log(.notice, "the timeline is served", ["cii": leading.url ?? ""])
        } catch {
            log(.error, "the timeline is not served", ["error": error])
            tell(.notServed, nil, ["\(error)"])
        }
    }

    // MARK: The session

    private func rehold() {
        guard let id = regions.main.player.current?.id else { return }
        session?.stop()
        hold(id)
    }

    private func hold(_ id: Int) {
        guard link != nil else { return }
        let session = FollowingSession(id, in: regions.main, of: regions, configuration, medium: medium) {
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
        guard let session, let link else { return }
        session.look(by: link.wallClock.clock)
        if let presented = session.presented { link.presented(presented) }
    }

    private func follow() { session?.follow(link?.timeline, medium: medium) }

    private var medium: ClockCorrelation { settings.medium(of: link?.information?.contentID) }

    private var configuration: SyncConfiguration {
        var configuration = settings.configuration
        if let commandedCalibration { configuration.outputDelay = commandedCalibration }
        return configuration
    }

    private func tell(_ state: SyncControllerState, of id: Int) {
        log(.info, "state", ["state": state.name, "session": id])
        context.emit(SyncStateChanged(state: state.rawValue, name: state.name, session: id))
    }

    // MARK: The television

    private func handle(_ event: CompanionEvent) {
        log(.debug, "television", ["event": "\(event)"])
        switch event {
        case .timelineAvailable, .timelineChanged, .timelineUnavailable: follow()
        case .informationChanged(let information, let changed):
            follow()
            tell(.information, information, changed.map(\.rawValue).sorted())
        case .televisionFound: tell(.found, link?.information)
        case .televisionGone: tell(.gone, nil)
        case .refused(let service, let status):
            log(.notice, "the television refuses", ["service": service.rawValue, "status": status])
            tell(.refused, link?.information, ["\(service.rawValue) \(status)"])
        case .versionRefused(let version):
            log(.notice, "the television speaks another version", ["version": version])
            tell(.versionRefused, nil, [version])
        case .serverSilent(let service): tell(.silent, link?.information, [service.rawValue])
        case .informationMalformed(let error):
            log(.notice, "the television's message cannot be read", ["error": error])
            tell(.malformed, nil, ["\(error)"])
        }
    }

    private func tell(_ what: TelevisionChanged.What, _ information: ContentInformation?, _ details: [String] = []) {
        context.emit(
            TelevisionChanged(
                what: what, contentId: information?.contentID,
                presentationStatus: information?.presentationStatus?.text, details: details))
    }

    // MARK: What is shown

    var report: SyncReport {
        let (reading, accuracy) = (link?.wallClock, session?.accuracy)
        let now = SystemClock.monotonic()
        return SyncReport(
            phase: link?.phase ?? .stopped, state: session?.state ?? .initialised,
            television: followed?.text, contentId: link?.information?.contentID,
            contentIdStatus: link?.information?.contentIDStatus?.rawValue,
            presentationStatus: link?.information?.presentationStatus?.text,
            selector: link?.timeline?.selector.text, position: position(at: now, by: reading?.clock),
            speed: link?.timeline.map { Double($0.correlation.speed.partsPerBillion) / 1e9 },
            dispersionUs: reading?.clock?.dispersion(at: now).microseconds,
            errorUs: accuracy?.error?.microseconds,
            boundUs: accuracy.flatMap { $0.error == nil ? nil : $0.bound.microseconds },
            ratePpm: Double(accuracy?.rate ?? 0) / 1_000, driftPpm: Double(accuracy?.drift ?? 0) / 1_000,
            jumps: Int(clamping: accuracy?.jumps ?? 0), calibrationMs: configuration.outputDelay.milliseconds,
            session: session?.id, served: leading?.url, followers: leading?.followers ?? 0)
    }

    private func position(at now: Monotonic, by clock: SlewedWallClock?) -> Int64? {
        guard let clock else { return nil }
        return link?.timeline?.position(at: clock.wallClock(at: now))
    }
}

extension CompanionSettings {
    fileprivate var text: String {
        switch television {
        case .described(let url, _, _): url.description
        case .stated(let stated): stated.tsURL.description
        }
    }
}
