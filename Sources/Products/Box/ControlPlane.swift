// SPDX-License-Identifier: Apache-2.0
import Buffers
import Channels
import Commands
import Control
import DataChannels
import Decoders
import Guide
import Hosting
import JSON
import Journal
import LineUp
import Media
import Playback
import Presentation
import Reporting
import Scene
import Settings
import Statistics
import System
import Time
import Venue

/// Makes the decisions of the box: line-up, tuning, events and answers to commands.
/// - Thread: the event loop's only.
final class ControlPlane {
    let settings: Settings
    let boxID: String
    /// Holds more than an hour of events at one a second.
    private(set) var eventLog = EventLog(capacity: 4_096)
    let channels: LineUpView
    /// The regions of the stage and what plays there.
    let regions: RegionDirectory
    /// The layout on the stage, and whether commands have changed it since it was chosen.
    var layout: (shown: Settings.Layout, isChanged: Bool)
    /// Strategies that are active over the layout, bottom first.
    var strategies = StrategyStack()
    /// The sound of regions that a command has changed, by name. Of the others, `main` is heard and the rest is muted.
    var sounds: [String: RegionSound] = [:]
    /// Checks in a row at which a session of sound alone was not heard, by session number.
    var silentLooks: [Int: Int] = [:]
    /// Regions in which the slate is shown over an open session because the service is down.
    var serviceSlates: Set<String> = []
    /// The watchdogs of the open sessions, by session number.
    var watchdogs: [Int: RenderStallWatchdog] = [:]
    /// The stage's counters of the region when the session began, to be subtracted for the session's own; by session
    /// number.
    var stageBefore: [Int: RegionCounters] = [:]
    let nowNext: NowNextView
    let guide: Guide
    let zone: LocalZone
    let health: HealthView
    /// Volume of the mix of all regions; `level` is 0...100.
    var volume: (level: Int, isMuted: Bool)
    private(set) var hasPresented = false
    let loop: EventLoop
    /// Statistics of all engines and of the control plane.
    let statistics: StatisticRegistry
    let features: FeatureHost
    let journal: Journal
    let log: (playback: Log, stage: Log, sound: Log)
    let media: MediaPlane
    let dataChannels: DataChannels
    private let reports: StateMailbox<MediaReport>
    /// The number of superseded reports when it was last logged.
    private var supersededReports = 0
    let channelList: Channels
    private var saidThreadsWait = false
    private var ticker: EventLoop.Timer?
    private var cardWatch: EventLoop.Timer?
    private var screenshots: [Int: (Result<JSONValue, Status>) -> Void] = [:]
    private var lastTicket = 0
    /// Called when the first picture or slate is on the screen, then at least once a second while the render loop runs.
    var onAlive: () -> Void = {}
    private let eventSignal: EventSignal
    /// Called after each message of a data channel that a client follows.
    var onMessage: (MessageFeed) -> Void = { _ in }
    /// Port of the HTTP API; nil if it is not served.
    var httpPort: UInt16?
    /// Called by the command `shutdown`.
    var onShutdown: () -> Void = {}

    init(
        _ settings: Settings, boxID: String, features: FeatureHost, context: FeatureContext
    ) throws(SystemCallError) {
        self.settings = settings
        self.boxID = boxID
        self.features = features
        statistics = context.statistics
        loop = context.loop
        journal = context.journal
        channels = context.provided(LineUpView.self)
        health = context.provided(HealthView.self)
        eventSignal = context.provided(EventSignal.self)
        nowNext = context.provided(NowNextView.self)
        zone = context.provided(LocalZone.self)
        guide = features[Guide.self]
        dataChannels = features[DataChannels.self]
        log = (
            journal.log(for: "playback"), journal.log(for: "stage"), journal.log(for: "sound")
        )
        channelList = features[Channels.self]
        regions = context.provided(RegionDirectory.self)
        regions.main.awaitsChannel = settings.playback.autoTune
        layout = (Settings.Layout.builtIn[0], false)
        volume = (settings.sound.volume, settings.sound.isMuted)
        // The mailbox of reports needs the waker when it is created. The waker's handler needs the finished control
        // plane, so it is set afterwards.
        let inbox = LateHandler()
        let waker = try loop.makeWaker { inbox.handler() }
        reports = StateMailbox<MediaReport> { waker.wake() }
        media = try MediaPlane(
            settings, decoders: features[Decoders.self].desk, zone: zone.rules, reports: reports,
            statistics: statistics)
        inbox.handler = { [unowned self] in takeReports() }
        channels.subscribe { [unowned self] in lineUpChanged($0) }
        health.subscribe { [unowned self] in healthChanged($0) }
        media.setVolume(volume.level)
        media.setMuted(volume.isMuted)
        regions.environment = regionEnvironment
        regions.lock = { [unowned self] in lock }
        for consumer in [counting, proofOfPlay, slates, telling] { regions.addConsumer(consumer) }
    }

    var main: RegionPlayer { regions.main }

    /// Joins the announcement groups, shows the slate and tunes the channels that the settings name.
    func start() {
        if let problem = zone.problem { log.stage(.warning, "local times are in UTC", ["error": problem]) }
        features.start()
        ticker = loop.every(.seconds(1)) { [unowned self] in tick() }
        if media.playsToCards { cardWatch = loop.every(.milliseconds(500)) { [unowned self] in media.lookAtCards() } }
        showFirstLayout()
        features.tick(at: SystemClock.monotonic())
        showSlate(in: main)
        tuneAwaited()
    }

    func stop() {
        if let ticker { loop.cancel(ticker) }
        if let cardWatch { loop.cancel(cardWatch) }
        features.stop()
        for region in regions.all { regions.control(.stop, in: region) }
        let hanging = media.stop()
        if hanging > 0 { log.playback(.error, "closed sessions have not ended", ["count": hanging]) }
        emit(.service, "stopped", [:])
    }

    // MARK: Ticks and reports

    private func tick() {
        let now = SystemClock.monotonic()
        media.tick(at: now)
        features.tick(at: now)
        regions.tick()
        for region in regions.all {
            watchPictures(of: region)
            watchSound(of: region)
            if isSlateDue(in: region) { showSlate(in: region) }
        }
        tellOfThreads()
    }

    /// Logs once that the system permits the threads of sound no priority.
    private func tellOfThreads() {
        guard !saidThreadsWait, DedicatedThread.urgencyRefusals > 0 else { return }
        saidThreadsWait = true
        log.playback(.notice, "no priority for sound", ["threads": DedicatedThread.urgencyRefusals])
    }

    private func takeReports() {
        for report in reports.takeAll() {
            switch report {
            case .stage(let report): handle(report)
            case .sound(let report): handle(report)
            case .playback(.nowNextChanged(let session, let nowNext)): guide.heard(nowNext, in: session)
            case .playback(let report): regions.control(.report(report), of: report.session)
            case .screenshot(let ticket, let result): screenshots.removeValue(forKey: ticket)?(result)
            case .sessionEnded(let session): media.sessionEnded(session)
            case .sessionHangs(let session):
                log.playback(.error, "closed session does not end", ["session": session])
            }
        }
        let superseded = reports.supersededCount
        guard superseded != supersededReports else { return }
        log.playback(.warning, "reports superseded in a burst", ["count": superseded - supersededReports])
        supersededReports = superseded
    }

    private func handle(_ report: StageReport) {
        switch report {
        case .firstPicture(let session, let epoch, _):
            regions.control(.firstPicture(session: session, epoch: epoch), of: session)
            hasPresented = true
            tellAlive()
        case .starved(let session): regions.control(.starved(session: session), of: session)
        case .fed(let session): regions.control(.fed(session: session), of: session)
        case .slateShown:
            hasPresented = true
            tellAlive()
        case .alive: if hasPresented { tellAlive() }
        case .screenshotTaken: break  // goes to `PictureStream`
        case .drawFailed(let why): log.stage(.error, "drawing failed", ["error": why])
        case .outputFailed(let why): log.stage(.error, "output failed", ["error": why])
        case .planeRefused(let session, let why):
            log.stage(.notice, "video composed, no plane took it", ["session": session, "reason": why])
            emit(
                .session, "composed",
                ["session": .integer(Int64(session)), "reason": "plane refused", "why": .string(why)])
        case .importRefused(let why):
            log.stage(.notice, "picture copied, the GPU did not take its memory", ["reason": why])
        case .pinPassedOver(let connector, let pin, let mode):
            var payload: JSONValue = ["connector": .string(connector), "mode": .string(mode)]
            if let pin { payload["pinned"] = .string(pin) }
            emit(.stage, "modePassedOver", payload)
            if let pin {
                log.stage(.warning, "pinned mode passed over", ["connector": connector, "pinned": pin, "mode": mode])
            } else {
                log.stage(.notice, "pinned mode shown", ["connector": connector, "mode": mode])
            }
        }
    }

    /// Does nothing once closed sessions that hang for ever prevent all playback: the watchdog then restarts the box.
    private func tellAlive() { if !media.isExhausted { onAlive() } }

    func emit(_ family: Event.Family, _ name: String, _ payload: JSONValue) {
        eventLog.append(family, name, payload, time: SystemClock.monotonic(), wallTime: SystemClock.wall())
        eventSignal.raise()
    }

    var lineUp: LineUp { channels.current }

    // MARK: Commands

    func after(_ delay: Nanoseconds, _ handler: @escaping () -> Void) { _ = loop.after(delay, handler) }

    func mediaCounters(of region: RegionPlayer) -> MediaCounters {
        media.counters(of: region.player.current?.id, in: region.name)
    }

    /// A new number that relates a later answer to its request.
    func nextTicket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    /// The answer comes within 2 s. It is a failure if the stage has not answered by then.
    func takeScreenshot(_ answer: @escaping (Result<JSONValue, Status>) -> Void) {
        let ticket = nextTicket()
        screenshots[ticket] = answer
        media.takeScreenshot(ticket: ticket)
        _ = loop.after(.seconds(2)) { [weak self] in
            self?.screenshots.removeValue(forKey: ticket)?(
                .failure(.failure(.busy, "the stage did not answer within 2 s")))
        }
    }

    func showSlate(in region: RegionPlayer) { media.show(slate(for: region), in: region.name) }
}
