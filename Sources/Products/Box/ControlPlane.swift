// SPDX-License-Identifier: Apache-2.0
import Access
import Audio
import Buffers
import Channels
import Commands
import Control
import DataChannels
import Decoders
import Diagnosis
import Hosting
import JSON
import Journal
import Layouts
import LineUp
import Links
import Mixing
import Playback
import Presentation
import Recorder
import Recording
import Settings
import Sync
import System
import Telemetry
import Time
import Tuning
import Venue

/// Owns the features of the box, the media plane that they drive, and the log of events. It passes reports of the media
/// plane to those whom they concern.
/// - Thread: the event loop's only.
final class ControlPlane {
    let context: FeatureContext
    let features: FeatureHost
    let media: MediaPlane
    /// The regions of the stage and what plays there.
    let regions: RegionDirectory
    /// Holds more than an hour of events at one a second.
    private(set) var eventLog: EventLog
    let dataChannels: DataChannels
    var access: Access { features[Access.self] }
    private let log: (service: Log, playback: Log, stage: Log)
    let reports: StateMailbox<MediaReport>
    /// The number of superseded reports when it was last logged.
    private var supersededReports = 0
    private var hasPresented = false
    private var saidThreadsWait = false
    private var timers: [EventLoop.Timer] = []
    /// Called when the first picture or slate is on the screen, then at least once a second while the render loop runs.
    var onAlive: () -> Void = {}
    /// Called after each message of a data channel that a client follows.
    var onMessage: (MessageFeed) -> Void = { _ in }
    /// Called by the command `shutdown`.
    var onShutdown: () -> Void = {}

    init(_ features: FeatureHost, _ context: FeatureContext) throws(SystemCallError) {
        self.features = features
        self.context = context
        let run: UInt64 = try SystemRandom.integer()
        eventLog = EventLog(
            capacity: 4_096, run: String(run, radix: 16), outlivingSessions: features.eventsThatOutliveSessions)
        regions = context.provided(RegionDirectory.self)
        dataChannels = features[DataChannels.self]
        let journal = context.journal
        log = (journal.log(for: "service"), journal.log(for: "playback"), journal.log(for: "stage"))
        // The mailbox of reports needs the waker when it is created. The waker's handler needs the finished control
        // plane, so it is set afterwards.
        let inbox = LateHandler()
        let waker = try context.loop.makeWaker { inbox.handler() }
        reports = StateMailbox<MediaReport> { waker.wake() }
        media = try MediaPlane(
            context.provided(Settings.self), on: context.provided(MediaDevices.self),
            decoders: features[Decoders.self].pool, reports: reports, statistics: context.statistics,
            recordings: context.provided(FlowRecordings.self))
        inbox.handler = { [unowned self] in takeReports() }
        connectRegions()
    }

    /// Starts the features, which show the slate, join groups and tune channels.
    func start() {
        let loop = context.loop
        features.start()
        timers.append(loop.every(.seconds(1)) { [unowned self] in tick() })
        timers.append(loop.every(.milliseconds(500)) { [unowned self] in media.lookAtCards() })
        features.tick(at: SystemClock.monotonic())
    }

    /// Begins the end of the service (SVM-03): the last report of the state is made while sessions play, and the off-air
    /// card is shown before they are closed, so that nothing else is seen of the end.
    func goOffAir() {
        features[Telemetry.self].flush()
        let isShown = media.goOffAir(features[Layouts.self].offAirCard)
        log.stage(isShown ? .debug : .warning, isShown ? "off air" : "the off-air card is not shown")
    }

    /// The machine was suspended (SVM-04). Nothing that is received continues what was received before, the network may
    /// have forgotten the memberships, and what is known of other clocks is wrong by the time that passed.
    func resumed() {
        media.receiveAnew()
        features[Links.self].rejoin()
        features[Channels.self].rejoin()
        features[Sync.self].resynchronise()
        regions.reopenChannels()
    }

    func stop() {
        for timer in timers { context.loop.cancel(timer) }
        features.stop()
        regions.disconnect()
        let hanging = media.stop()
        if hanging > 0 { log.playback(.error, "closed sessions have not ended", ["count": hanging]) }
        emit(.service, "stopped", [:])
    }

    func emit(_ family: Event.Family, _ name: String, _ payload: JSONValue) {
        eventLog.append(family, name, payload, time: SystemClock.monotonic(), wallTime: SystemClock.wall())
        if family == .session, name == "terminate", let session = payload["session"]?.integer {
            eventLog.sessionEnded(session)
        }
        // A layout takes regions away; what ends in them is told after that.
        if family == .stage || payload["region"] != nil { eventLog.keepRegions(Set(regions.all.map(\.name))) }
        context.provided(EventSignal.self).raise()
    }

    private func tick() {
        let now = SystemClock.monotonic()
        media.tick(at: now)
        features.tick(at: now)
        guard !saidThreadsWait, DedicatedThread.urgencyRefusals > 0 else { return }
        saidThreadsWait = true
        log.playback(.notice, "no priority for sound", ["threads": DedicatedThread.urgencyRefusals])
    }

    // MARK: Regions

    /// Gives the directory of regions what it needs of the media plane.
    private func connectRegions() {
        let (loop, media, regions) = (context.loop, media, regions)
        let sounds = context.provided(RegionSounds.self)
        var environment = regions.environment
        environment.after = { delay, handler in _ = loop.after(delay, handler) }
        environment.sessionCount = { media.sessionCount }
        environment.decodedLimit = { media.decodedLimit }
        environment.refusal = { media.sessionRefusal }
        environment.open = { session, region in
            do {
                try media.open(
                    session.id, session.source, choice: session.choice, in: region.name,
                    headroom: region.isMain ? regions.headroom : .zero, heard: sounds.heard(in: region.name))
                return nil
            } catch {
                return "\(error)"
            }
        }
        environment.perform = { session, command in media.perform(session, command) }
        environment.close = { session in media.close(session) }
        environment.exchange = { one, other in
            media.exchange(one.name, with: other.name)
            for region in [one, other] {
                guard let session = region.player.current?.id else { continue }
                media.setSound(sounds.heard(in: region.name), of: session)
                if region.isMain, regions.headroom > .zero { media.give(headroom: regions.headroom, to: session) }
            }
        }
        environment.position = { session in media.position(of: session) }
        environment.shownPicture = { session in media.shownPicture(of: session) }
        environment.soundEpoch = { session in media.soundEpoch(of: session) }
        regions.environment = environment
    }

    // MARK: Reports

    private func takeReports() {
        for report in reports.takeAll() {
            switch report {
            case .stage(let report): handle(report)
            case .sound(let report): features[Audio.self].handle(report)
            case .playback(let report):
                if !report.isAboutStream {
                    log.playback(.debug, "report", ["session": report.session, "report": "\(report)"])
                }
                regions.take(report)
            case .screenshot(let ticket, let result): features[Layouts.self].screenshotTaken(ticket, result)
            case .repairFound(let channel, let parity): features[Channels.self].repairFound(parity, of: channel)
            case .senderConflict(let channel, let senders):
                features[Channels.self].conflictFound(played: senders.played, other: senders.other, of: channel)
            case .sessionEnded(let session): media.sessionEnded(session)
            case .sessionHangs(let session):
                log.playback(.error, "closed session does not end", ["session": session])
            case .historyCut(let cut): features[Tuning.self].historyCut(cut)
            }
        }
        let superseded = reports.supersededCount
        guard superseded != supersededReports else { return }
        log.playback(.warning, "reports superseded in a burst", ["count": superseded - supersededReports])
        supersededReports = superseded
    }

    private func handle(_ report: StageReport) {
        if report.subject != .life { log.stage(.debug, "report", ["report": "\(report)"]) }
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
        case .alive:
            noteActivity()
            if hasPresented { tellAlive() }
        case .screenshotTaken: break  // goes to `PictureStream`
        case .drawFailed(let why): log.stage(.error, "drawing failed", ["error": why])
        case .outputFailed(let why):
            log.stage(.error, "output failed", ["error": why])
            features[Diagnosis.self].outputFailed(why)
            features[Recorder.self].outputLost("\(why)")
        case .outputChanged(let ticket, let problem):
            log.stage(.notice, problem == nil ? "output changed" : "output not changed", ["stage": media.stageSize])
            features[Layouts.self].stageChanged()
            media.outputChanged(ticket, problem)
        case .planeRefused(let session, let why):
            log.stage(.notice, "video composed, no plane took it", ["session": session, "reason": why])
            var payload: JSONValue = [
                "session": .integer(Int64(session)), "reason": "plane refused", "why": .string(why),
            ]
            if let region = regions.region(of: session), !region.isMain { payload["region"] = .string(region.name) }
            emit(.session, "composed", payload)
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

    private func noteActivity() {
        let layouts = features[Layouts.self]
        let before = layouts.isStageActive
        layouts.stageReported(isActive: media.isStageActive)
        if layouts.isStageActive != before { log.stage(.debug, "activity", ["active": layouts.isStageActive]) }
    }

    /// Does nothing once closed sessions that hang for ever prevent all playback: the watchdog then restarts the box.
    private func tellAlive() { if !media.isExhausted { onAlive() } }
}

extension ControlPlane: CommandHandler {
    var catalogue: Catalogue { Box.catalogue }

    func follow(dataChannel: String) -> Result<MessageFeed, Status> { dataChannels.follow(dataChannel) }

    func leave(_ feed: MessageFeed) { dataChannels.leave(feed) }

    var hidesScreen: Bool { access.gate.hidesScreen(at: SystemClock.monotonic()) }

    func note(_ act: Act) { access.note(act) }

    func handle(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void) {
        log.service(
            .debug, "command",
            [
                "command": request.command,
                "arguments": (catalogue[request.command]?.shown(request.arguments) ?? [:]).text(),
            ])
        if features.handle(request, answer: answer) { return }
        answer(.failure(.failure(.usage, "command '\(request.command)' is not one of this service")))
    }
}
