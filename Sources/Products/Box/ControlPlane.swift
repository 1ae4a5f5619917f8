// SPDX-License-Identifier: Apache-2.0
import Buffers
import Commands
import Control
import Decoders
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

/// What the box decides: line-up, tuning, events, answers. Lives on the event loop's thread alone.
final class ControlPlane {
    let settings: Settings
    /// As written; what it leaves out has its default.
    let document: JSONValue
    let boxID: String
    let started = SystemClock.monotonic()
    /// Progress comes once a second: an hour of it and more.
    private(set) var eventLog = EventLog(capacity: 4_096)
    private(set) var lineUp: LineUp
    /// What events say of each of the list: made once, shared by all events that show it.
    var listDocuments: [Channel.ID: JSONValue] = [:]
    /// Not yet told as a whole.
    var untoldChanges: [LineUpChange] = []
    /// What plays in the region that commands mean which name none.
    let main: RegionPlayer
    /// Of the stage, `main` first.
    var regions: [RegionPlayer]
    /// As it was chosen, and whether commands have changed it since.
    var layout: (shown: Settings.Layout, isChanged: Bool)
    /// Those that are on over it.
    var strategies = StrategyStack()
    /// Where the sessions play that the media plane was asked to open, by number.
    var playing: [Int: RegionPlayer] = [:]
    /// The highest number that a session was given.
    var lastSession = 0
    /// Told of every session, in this order (PLAY-23).
    private(set) var consumers: [SessionConsumer] = []
    /// Left to perform, in order: what an action leads to comes behind those that are there already.
    var actions: ArraySlice<(region: RegionPlayer, action: PlaybackController.Action)> = []
    var isPerforming = false
    /// A look at sessions of sound alone is due soon.
    var listensForSound = false
    var seekAnswers: [Int: (Result<SeekOutcome, SeekError>) -> Void] = [:]
    var nowNext = NowNextTable()
    var health: Health
    /// By the clock of the box.
    var serviceSince = SystemClock.wall()
    /// As of the last look.
    var uplinks: [Uplink] = []
    /// Of all regions together.
    var volume: (level: Int, isMuted: Bool)
    /// Of every region's sessions; see `StreamChoice`.
    var audioLanguage: String?
    private(set) var hasPresented = false
    let loop: EventLoop
    /// Of all engines and of what is decided here.
    let statistics: StatisticRegistry
    let features: FeatureHost
    let journal: Journal
    let log: (announcements: Log, playback: Log, stage: Log, data: Log, sound: Log)
    let media: MediaPlane
    let data: DataPlane
    var dataConsumers: DataConsumers?
    var screenText: ScreenTextState
    private let reports: StateMailbox<MediaReport>
    /// Reports that were left out of bursts, as it was told last.
    private var supersededReports = 0
    private(set) var listener: AnnouncementListener?
    let network: NetworkWatch
    /// While there is a channel of several sources.
    var sourceWatch: EventLoop.Timer?
    private var joinFailures: [SystemCallError] = []
    private var saidThreadsWait = false
    private var ticker: EventLoop.Timer?
    private var cardWatch: EventLoop.Timer?
    private var screenshots: [Int: (Result<JSONValue, Status>) -> Void] = [:]
    private var lastTicket = 0
    /// Called once, when anything is on the screen; and then at least once a second while the render loop turns.
    var onAlive: () -> Void = {}
    /// After each event.
    var onEvent: () -> Void = {}
    /// After each message of a data channel that is followed.
    var onMessage: (MessageFeed) -> Void = { _ in }
    /// Of the HTTP API; nil: there is none.
    var httpPort: UInt16?
    /// The command `shutdown` was given.
    var onShutdown: () -> Void = {}

    init(
        _ settings: Settings, document: JSONValue, boxID: String, features: FeatureHost,
        statistics: StatisticRegistry, loop: EventLoop, journal: Journal
    ) throws(SystemCallError) {
        self.settings = settings
        self.document = document
        self.boxID = boxID
        self.features = features
        self.statistics = statistics
        self.loop = loop
        self.journal = journal
        log = (
            journal.log(for: "announcements"), journal.log(for: "playback"), journal.log(for: "stage"),
            journal.log(for: "data"), journal.log(for: "sound")
        )
        data = try DataPlane(settings, loop: loop, log: log.data)
        network = NetworkWatch(loop: loop, log: journal.log(for: "network"))
        lineUp = LineUp(settings: LineUpSettings(settings))
        main = RegionPlayer(RegionPlayer.main, PlaybackPolicy(settings))
        main.awaitsChannel = settings.playback.autoTune
        regions = [main]
        layout = (Settings.Layout.builtIn[0], false)
        volume = (settings.sound.volume, settings.sound.isMuted)
        health = Health(settings.health, started: started)
        audioLanguage = settings.playback.audioLanguage
        // The waker exists before the box of reports that needs it, its handler after: both meet in a cell.
        let inbox = LateHandler()
        let waker = try loop.makeWaker { inbox.handler() }
        reports = StateMailbox<MediaReport> { waker.wake() }
        media = try MediaPlane(
            settings, decoders: features[Decoders.self].desk, reports: reports, statistics: statistics)
        screenText = ScreenTextState(wantsStatistics: settings.screenText.strategy == .debug)
        inbox.handler = { [unowned self] in takeReports() }
        attachStatistics()
        media.setVolume(volume.level)
        media.setMuted(volume.isMuted)
        addConsumer(counting)
        addConsumer(proofOfPlay)
        addConsumer(listening)
    }

    /// Listens, shows the slate, tunes what settings say.
    func start() {
        if let problem = media.zone.problem { log.stage(.warning, "local times are in UTC", ["error": problem]) }
        features.start()
        startNetwork()
        listener = AnnouncementListener(settings, loop: loop, links: network.links) {
            [unowned self] bytes, source, arrival in
            perform(lineUp.handle(datagram: bytes, from: source, at: arrival))
        }
        joinMissing()
        ticker = loop.every(.seconds(1)) { [unowned self] in tick() }
        if media.playsToCards { cardWatch = loop.every(.milliseconds(500)) { [unowned self] in media.lookAtCards() } }
        showFirstLayout()
        startData()
        tellFirstList()
        watchHealth(at: SystemClock.monotonic())
        showSlate(in: main)
        tuneAwaited()
    }

    func stop() {
        if let ticker { loop.cancel(ticker) }
        if let cardWatch { loop.cancel(cardWatch) }
        stopNetwork()
        listener?.stop()
        tell(health.stopped(at: SystemClock.monotonic()))
        for region in regions { control(.stop, in: region) }
        data.stop()
        let hanging = media.stop()
        if hanging > 0 { log.playback(.error, "closed sessions have not ended", ["count": hanging]) }
        features.stop()
        emit(.service, "stopped", [:])
    }

    // MARK: What happens

    private func tick() {
        let now = SystemClock.monotonic()
        for _ in 0..<(listener?.restartSilent(at: now) ?? 0) { lineUp.groupRestarted() }
        joinMissing()
        perform(lineUp.tick(now: now))
        tellWhatIsOn()
        media.tick(at: now)
        data.tick()
        reviewMemberships()
        watchHealth(at: now)
        for region in regions {
            control(.tick, in: region)
            watchPictures(of: region)
            watchSound(of: region)
            tellQuality(of: region)
            if isSlateDue(in: region) { showSlate(in: region) }
        }
        tickScreenText()
        tellOfThreads()
    }

    /// Says once that sound has to take its turn with everything else.
    private func tellOfThreads() {
        guard !saidThreadsWait, DedicatedThread.urgencyRefusals > 0 else { return }
        saidThreadsWait = true
        log.playback(.notice, "no priority for sound", ["threads": DedicatedThread.urgencyRefusals])
    }

    /// Says once what keeps a group from being joined, and once that all are.
    func joinMissing() {
        let failures = listener?.joinMissing() ?? []
        guard failures != joinFailures else { return }
        joinFailures = failures
        for failure in failures { log.announcements(.error, "group not joined", ["error": failure]) }
        if failures.isEmpty { log.announcements(.notice, "all groups joined") }
    }

    private func takeReports() {
        for report in reports.takeAll() {
            switch report {
            case .stage(let report): handle(report)
            case .sound(let report): handle(report)
            case .playback(.nowNextChanged(let session, let nowNext)): heard(nowNext, in: session)
            case .playback(let report): control(.report(report), of: report.session)
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
            control(.firstPicture(session: session, epoch: epoch), of: session)
            hasPresented = true
            tellAlive()
        case .starved(let session): control(.starved(session: session), of: session)
        case .fed(let session): control(.fed(session: session), of: session)
        case .slateShown:
            hasPresented = true
            tellAlive()
        case .alive: if hasPresented { tellAlive() }
        case .screenshotTaken: break  // the pictures have it
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

    /// A box that can play nothing any more, because closed sessions hang for ever, lets its watchdog restart it.
    private func tellAlive() { if !media.isExhausted { onAlive() } }

    /// From the next session on.
    func addConsumer(_ consumer: SessionConsumer) { consumers.append(consumer) }

    func emit(_ family: Event.Family, _ name: String, _ payload: JSONValue) {
        eventLog.append(family, name, payload, time: SystemClock.monotonic(), wallTime: SystemClock.wall())
        onEvent()
        followOnScreen()
    }

    var isListening: Bool { listener?.isListening ?? false }

    // MARK: Commands

    func stopPlaying(in region: RegionPlayer) {
        region.awaitsChannel = nil
        region.gaveWay = nil
        region.tunedPlaylist = nil
        control(.stop, in: region)
    }

    func cancel(_ timer: EventLoop.Timer) { loop.cancel(timer) }

    func every(_ interval: Nanoseconds, _ handler: @escaping () -> Void) -> EventLoop.Timer {
        loop.every(interval, handler)
    }

    func after(_ delay: Nanoseconds, _ handler: @escaping () -> Void) { _ = loop.after(delay, handler) }

    func mediaCounters(of region: RegionPlayer) -> MediaCounters {
        media.counters(of: region.player.current?.id, in: region.name)
    }

    /// Of an answer that comes later.
    func nextTicket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    /// Answers within 2 s, or says that the stage does not answer.
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
