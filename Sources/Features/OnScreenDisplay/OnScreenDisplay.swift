// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Journal
import LineUp
import Playback
import Presentation
import Settings
import Shapes
import System
import Time
import Timelines
import Venue

/// The feature that writes text over the pictures: banner, transport bar, volume, statistics, ticker and messages
/// (SVM-11, 68, 69).
public final class OnScreenDisplay: Feature {
    public static let summary = """
        text over the pictures: banner, transport bar, volume, statistics, ticker and messages; the commands `osd`, \
        `ticker` and `message`
        """

    /// What the feature shows of others. The product provides this value.
    public struct Shown {
        /// The id of the box.
        public var box: String
        public var volume: () -> VolumeBar

        public init(box: String, volume: @escaping () -> VolumeBar) {
            self.box = box
            self.volume = volume
        }
    }

    public static var commands: [Handler<OnScreenDisplay>] {
        [
            Handler(SwitchDisplay.self), Handler(ShowTicker.self), Handler(ClearTicker.self),
            Handler(ShowMessage.self), Handler(ClearMessages.self),
        ]
    }

    /// The inputs that were written last, so that only changes are written.
    private struct Written {
        var session: Int?
        var label: ScreenText.ChannelLabel?
        var transport: ScreenText.TransportState?
        var volume: VolumeBar?
        var isBuffering = false
        var streamTime: StreamTime?
    }

    private let context: FeatureContext
    private var settings: Settings
    private let screen: ScreenTextWriter
    private let shown: Shown
    private let regions: RegionDirectory
    private let lineUp: LineUpView
    private let nowNext: NowNextView
    private let zone: LocalZone
    private let clock: DisplayedClock
    private let timeline: TimelineView
    private var written = Written()
    private var showsStatistics: Bool
    private var figures = StatisticsFigures()
    /// nil if no message waits for its pictures.
    private var scheduled: ScheduledMessage?

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        settings = context.provided(Settings.self)
        screen = context.provided(ScreenTextWriter.self)
        shown = context.provided(Shown.self)
        regions = context.provided(RegionDirectory.self)
        lineUp = context.provided(LineUpView.self)
        nowNext = context.provided(NowNextView.self)
        zone = context.provided(LocalZone.self)
        clock = context.provided(DisplayedClock.self)
        timeline = context.provided(TimelineView.self)
        showsStatistics = settings.screenText.strategy == .debug
        regions.addConsumer(
            SessionConsumer(
                "time of day",
                reported: { [weak self] report, _ in
                    if case .timeTold(let session, let time) = report { self?.heard(time, in: session) }
                },
                ended: { [clock] _, region, now in if region.isMain { clock.time.left(at: now) } },
                exchanged: { [clock] one, other in
                    if one.isMain || other.isMain { clock.time.left(at: SystemClock.monotonic()) }
                }))
        context.provided(EventSignal.self).subscribe { [weak self] in self?.follow() }
        context.settings.attach(["screenText"]) { [weak self] (next) throws(Status) in
            guard let self else { return Preparation(undo: {}, commit: { () throws(Status) in }) }
            return try prepare(next.settings)
        }
        // The statistics show the address of the interface.
        context.settings.follow(["network"]) { [weak self] new, _ in self?.settings.network = new.network }
        context.settings.follow(["playback"]) { [weak self] new, _ in self?.settings.playback = new.playback }
    }

    public func start() {
        if let problem = zone.problem {
            context.journal.log(for: "stage")(.warning, "local times are in UTC", ["error": problem])
        }
        apply(settings)
    }

    public func tick(at now: Monotonic) {
        clock.time.observe(isClockSynchronised: clock.isSynchronised(), at: now)
        follow()
        followScheduled(at: now)
        if showsStatistics { writeStatistics(at: now) }
    }

    /// The stream that a session plays says what time it is. That of `main` alone counts.
    private func heard(_ time: StreamTime, in session: Int) {
        guard regions.main.player.current?.id == session else { return }
        clock.time.hear(time, at: SystemClock.monotonic(), wall: SystemClock.wall())
        followTime()
    }

    // MARK: Settings

    /// Refuses a zone whose rules cannot be read.
    private func prepare(_ new: Settings) throws(Status) -> Preparation {
        let old = settings
        if new.screenText.timeZone != old.screenText.timeZone,
            let problem = LocalZone.problem(of: new.screenText.timeZone)
        {
            throw .failure(.configuration, "timeZone: \(problem)")
        }
        return Preparation(undo: { self.apply(old) }, commit: { () throws(Status) in self.apply(new) })
    }

    /// Settings are not refused for a logo: a file that is gone must not keep anybody from returning to them. The text
    /// thread reads it, and reports what is wrong with it.
    private func apply(_ new: Settings) {
        if new.screenText.timeZone != settings.screenText.timeZone { zone.use(new.screenText.timeZone) }
        if new.screenText.strategy != settings.screenText.strategy {
            showsStatistics = new.screenText.strategy == .debug
        }
        settings = new
        screen.write(.options(ScreenTextEngine.Options(new, zone: zone.rules)))
    }

    // MARK: Following

    /// Writes what has changed since the last time.
    private func follow() {
        followTime()
        let session = regions.main.player.current
        followChannel(session)
        let transport = session.flatMap { self.transport(of: $0) }
        if transport != written.transport {
            written.transport = transport
            screen.write(.transport(transport))
        }
        let volume = shown.volume()
        if volume != written.volume {
            written.volume = volume
            screen.write(.volume(volume))
        }
        let isBuffering = session.map { $0.isBuffering && !$0.isPaused } ?? false
        if isBuffering != written.isBuffering {
            written.isBuffering = isBuffering
            screen.write(.buffering(isBuffering))
        }
    }

    private func followScheduled(at now: Monotonic) {
        guard scheduled?.isOver(look(), at: now) == true, screen.write(.scheduledMessageIsOver) else { return }
        scheduled = nil
    }

    /// nil for a file, to whose pictures anybody may go back at any time.
    private func look() -> ScheduledMessage.Look? {
        guard let session = regions.main.player.current, session.source.channel != nil,
            let position = regions.environment.position(session.id),
            let stamp = regions.environment.shownPicture(session.id)
        else { return nil }
        return ScheduledMessage.Look(
            session: session.id, stamp: stamp, behindLive: position.behindLive, history: settings.playback.history)
    }

    private func followTime() {
        let time = clock.time.stream
        guard time != written.streamTime else { return }
        written.streamTime = time
        screen.write(.streamTime(time))
    }

    private func followChannel(_ session: PlayingSession?) {
        let label = session.map { self.label(of: $0) }
        if session?.id != written.session {
            written.session = session?.id
            written.label = label
            screen.write(.channelTuned(label))
        } else if label != written.label {
            written.label = label
            screen.write(.programmes(now: label?.now, next: label?.next))
        }
    }

    private func label(of session: PlayingSession) -> ScreenText.ChannelLabel {
        let id = regions.main.tunedPlaylist ?? session.source.channel?.id
        let entry = id.flatMap { lineUp.current[$0] }
        let programmes = id.flatMap { nowNext.current[$0] }
        var name = entry?.name ?? session.name
        // A program that was tuned by its name is what the viewer knows.
        let chosen = session.choice.program
        if case .name(let program)? = chosen, chosen != session.source.channel?.program { name = program }
        return ScreenText.ChannelLabel(
            number: entry?.number, name: name, logo: entry?.logo, now: programmes?.now.map { Programme($0) },
            next: programmes?.next.map { Programme($0) })
    }

    private func transport(of session: PlayingSession) -> ScreenText.TransportState? {
        guard let position = regions.environment.position(session.id) else { return nil }
        let place: ScreenText.TransportState.Place =
            session.source.channel == nil
            ? .file(position: position.progress, duration: position.duration)
            : .live(behind: position.behindLive, available: position.available)
        return ScreenText.TransportState(isPaused: session.isPaused, place: place)
    }

    private func writeStatistics(at now: Monotonic) {
        let address = HostAddress.first(of: settings.network.interface ?? "") ?? "no address"
        let name = settings.boxName.isEmpty ? "Touchline" : settings.boxName
        let session = regions.main.player.current
        let look = StatisticsFigures.Look(
            heading: ["\(name) · \(address)", "\(shown.box) · \(Build.version) (\(ImageBuild.id))"], session: session,
            position: session.flatMap { regions.environment.position($0.id) }, snapshot: context.statistics.snapshot(),
            now: now)
        screen.write(.statistics(figures.panel(look)))
    }

    // MARK: Commands

    func set(_ item: ScreenText.Item, _ mode: ScreenText.Mode) throws(Status) {
        guard settings.screenText.isEnabled else {
            throw .failure(.failed, "screenText.enabled is false; expected true for 'osd'")
        }
        if item == .stats {
            showsStatistics = mode == .on || mode == .auto && settings.screenText.strategy == .debug
            figures.reset()
            if showsStatistics { writeStatistics(at: SystemClock.monotonic()) }
        }
        try write(.set(item, mode))
    }

    /// The time stamp of what plays in `main` at a time of a timeline.
    func stamp(at ticks: Int64, of line: ShowMessage.Timeline) throws(Status) -> Int64 {
        switch line {
        case .pts: return ticks
        case .sync:
            guard let medium = timeline.medium else {
                throw .failure(.failed, "timeline is sync; expected pts, as no timeline is followed")
            }
            guard let stamp = medium.convert(ticks) else {
                throw .failure(.failed, "at is \(ticks); expected a time that the medium has")
            }
            return stamp
        }
    }

    func write(_ input: ScreenText.Input) throws(Status) {
        guard screen.write(input) else {
            throw .failure(.busy, "the text thread does not take what is to be written")
        }
    }

    /// - Parameter message: nil takes all messages away.
    func write(_ message: ScreenMessage?, for span: Nanoseconds?) throws(Status) {
        try write(.message(message, span: span))
        if message == nil { scheduled = nil }
        if let pictures = message?.pictures { scheduled = ScheduledMessage(pictures) }
    }
}

extension Programme {
    init(_ broadcast: Broadcast) {
        self.init(title: broadcast.title, start: broadcast.start, stop: broadcast.end)
    }
}
