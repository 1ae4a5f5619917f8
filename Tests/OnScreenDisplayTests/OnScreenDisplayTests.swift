// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import LineUp
import Playback
import Presentation
import Settings
import Statistics
import System
import TestSupport
import Testing
import Time
import Timelines
import Venue

@testable import OnScreenDisplay

@Suite struct OnScreenDisplayTests {
    private final class Screen {
        var inputs: [String] = []
        var hangs = false
        var isClockSet = true
        var volume = VolumeBar(level: 40, isMuted: false)

        func write(_ input: ScreenText.Input) -> Bool {
            guard !hangs else { return false }
            inputs.append(Self.text(of: input))
            return true
        }

        private static func text(of input: ScreenText.Input) -> String {
            switch input {
            case .set(let item, let mode): "\(item) \(mode)"
            case .channelTuned(let label): "tuned \(label.map { "\($0.number ?? 0) \($0.name)" } ?? "none")"
            case .programmes(let now, let next): "\(now?.title ?? "none"), \(next?.title ?? "none")"
            case .transport(let state): "transport \(state.map { "\($0.isPaused)" } ?? "none")"
            case .transportAsked: "transport asked"
            case .channelList(let panel): "list \(panel?.selected ?? -1)"
            case .number(let panel): "number \(panel?.digits ?? "none")"
            case .volume(let bar): "volume \(bar.level) \(bar.isMuted)"
            case .buffering(let isBuffering): "buffering \(isBuffering)"
            case .options(let options):
                "options \(options.policy.isEnabled) \(options.safeAreaPercent) \(options.policy.bannerSpan.milliseconds)"
            case .streamTime(let time): "time \(time.map { $0.utc.description } ?? "none")"
            case .stage(let size): "stage \(size)"
            case .testCard(let card, let span): "card \(card?.title ?? "none") \(span.milliseconds)"
            case .statistics(let panel):
                (panel.heading
                    + panel.groups.map { group in
                        group.title + ": "
                            + group.entries.map { "\($0.row.name) \($0.row.value)" }.joined(separator: ", ")
                    }).joined(separator: "; ")
            case .message(let message, let span):
                "message \(message?.text ?? "none") \(message?.isEmergency ?? false) \(span?.milliseconds ?? 0)"
                    + (message?.pictures.map { " at \($0.start) for \($0.ticks)" } ?? "")
            case .scheduledMessageIsOver: "scheduled message over"
            case .ticker(let ticker):
                "ticker \(ticker.map { "\($0.text) \($0.pixelsPerSecond ?? 0) \($0.position)" } ?? "none")"
                    + (ticker?.isOnTimeline == true ? " on timeline" : "")
            }
        }

        /// What was written since the last time.
        var taken: [String] {
            defer { inputs = [] }
            return inputs
        }
    }

    private let screen = Screen()
    private let regions = RegionDirectory(PlaybackPolicy(), sessionLimit: 1)
    private let nowNext = NowNextView()
    private let signal = EventSignal()
    private let timeline = TimelineView()
    private let statistics = StatisticRegistry()

    private func makeHost(_ screenText: JSONValue = [:]) throws -> (FeatureHost, LineUpView) {
        let (host, lineUp, _) = try makeHostAndContext(screenText)
        return (host, lineUp)
    }

    private func makeHostAndContext(_ screenText: JSONValue) throws -> (FeatureHost, LineUpView, FeatureContext) {
        var context = try FeatureContext.testing(
            settings: [
                "network": ["interface": "lo"], "screenText": screenText,
                "channels": [["name": "Pitch", "address": "239.1.2.3", "port": 5_000]],
            ], statistics: statistics)
        let lineUp = LineUpView(LineUp(settings: LineUpSettings(context.settings.running.settings)))
        context.provide(lineUp)
        context.provide(nowNext)
        context.provide(regions)
        context.provide(signal)
        context.provide(ScreenTextWriter { [screen] in screen.write($0) })
        context.provide(OnScreenDisplay.Shown(box: "6f1c", volume: { [screen] in screen.volume }))
        context.provide(LocalZone("Europe/Berlin"))
        context.provide(timeline)
        context.provide(DisplayedClock(isSynchronised: { [screen] in screen.isClockSet }))
        return (try FeatureHost([OnScreenDisplay.self], context), lineUp, context)
    }

    @discardableResult
    private func give(_ name: String, _ arguments: JSONValue = [:], to host: FeatureHost) throws -> JSONValue {
        var answered = Result<JSONValue, Status>.success(.null)
        let catalogue = Catalogue(FeatureDeclarations([OnScreenDisplay.self]).commands)
        let isHandled = host.handle(try CommandRequest(command: name, arguments: arguments, in: catalogue)) {
            answered = $0
        }
        #expect(isHandled)
        return try answered.get()
    }

    @Test func onlyChangesAreWritten() throws {
        let (host, lineUp) = try makeHost()
        regions.environment.open = { _, _ in nil }
        signal.raise()
        #expect(screen.taken == ["volume 40 false"])
        let channel = try #require(lineUp.current.entry(matching: "Pitch")?.channel)
        regions.control(.tune(channel), in: regions.main)
        signal.raise()
        signal.raise()
        #expect(screen.taken == ["tuned 900 Pitch", "buffering true"])
        _ = nowNext.current.heard(
            NowNext(now: Broadcast(title: "Match"), next: Broadcast(title: "News")), on: channel.id)
        regions.environment.position = { _ in PlaybackPosition() }
        screen.volume.isMuted = true
        host.tick(at: SystemClock.monotonic())
        #expect(screen.taken == ["Match, News", "transport false", "volume 40 true"])
        regions.stop(regions.main)
        signal.raise()
        #expect(screen.taken == ["tuned none", "transport none", "buffering false"])
    }

    /// An encoder begins anew once a message was due: the screen is told that it is over, once (`sync.md` F9).
    @Test func aMessageForPicturesIsOver() throws {
        let (host, lineUp) = try makeHost()
        regions.environment.open = { _, _ in nil }
        regions.environment.position = { _ in PlaybackPosition() }
        let channel = try #require(lineUp.current.entry(matching: "Pitch")?.channel)
        regions.control(.tune(channel), in: regions.main)
        let start = SystemClock.monotonic()
        try give("message", ["text": "Goal", "at": 9_000_000], to: host)
        func over(after seconds: Range<Int64>, from stamp: Int64) -> Int {
            for second in seconds {
                regions.environment.shownPicture = { _ in (stamp + second) * 90_000 }
                host.tick(at: start + .seconds(second))
            }
            return screen.taken.count { $0 == "scheduled message over" }
        }
        #expect(over(after: 0..<10, from: 95) == 0)
        #expect(over(after: 10..<20, from: 0) == 1)
        #expect(over(after: 20..<90, from: 0) == 0)
    }

    /// The time of the stream in `main` is shown until the clock is set.
    @Test func timeOfTheStream() throws {
        screen.isClockSet = false
        let (host, lineUp) = try makeHost()
        regions.environment.open = { _, _ in nil }
        let channel = try #require(lineUp.current.entry(matching: "Pitch")?.channel)
        regions.control(.tune(channel), in: regions.main)
        let session = try #require(regions.main.player.current?.id)
        host.tick(at: SystemClock.monotonic())
        _ = screen.taken
        let later = WallTime(nanoseconds: SystemClock.wall().nanoseconds + 86_400_000_000_000)
        let time = StreamTime(utc: later, arrival: SystemClock.monotonic())
        regions.take(.timeTold(session: session + 1, time))
        #expect(screen.taken == [])
        regions.take(.timeTold(session: session, time))
        #expect(screen.taken == ["time \(later)"])
        regions.stop(regions.main)
        host.tick(at: SystemClock.monotonic())
        #expect(!screen.taken.contains("time none"), "the next channel may say its own")
        screen.isClockSet = true
        host.tick(at: SystemClock.monotonic())
        #expect(screen.taken == ["time none"])
        regions.control(.tune(channel), in: regions.main)
        regions.take(.timeTold(session: session + 1, time))
        #expect(!screen.taken.contains { $0.hasPrefix("time") })
    }

    @Test func commandsWrite() throws {
        let (host, _) = try makeHost()
        #expect(try give("ticker", ["text": "Full time"], to: host) == [:])
        try give("ticker", ["text": "2:1", "pixelsPerSecond": 125, "position": "top"], to: host)
        try give("ticker-clear", to: host)
        try give("message", ["text": "Goal\nfor us"], to: host)
        try give("message", ["text": "Leave", "emergency": true, "durationMs": 2_000], to: host)
        try give("message-clear", to: host)
        try give("osd", ["item": "banner", "state": "on"], to: host)
        #expect(
            screen.taken == [
                "ticker Full time 0 bottom", "ticker 2:1 125 top", "ticker none", "message Goal\nfor us false 10000",
                "message Leave true 2000", "message none false 0", "banner on",
            ])
        screen.hangs = true
        let refusal = thrown(Status.self) { try give("message-clear", to: host) }
        #expect(refusal == .failure(.busy, "the text thread does not take what is to be written"))
    }

    /// CSS-05: a time is one of the stream, or one of the timeline that is followed, which has another rate.
    @Test func textsHaveTimesOfTheTimeline() throws {
        let (host, _) = try makeHost()
        try give("message", ["text": "Goal", "at": 900_000, "durationMs": 2_000], to: host)
        try give("message", ["text": "Goal", "at": .integer(1 << 33), "timeline": "pts"], to: host)
        try give("ticker", ["text": "2:1", "onTimeline": true], to: host)
        #expect(
            screen.taken == [
                "message Goal false 2000 at 900000 for 180000", "message Goal false 10000 at 0 for 900000",
                "ticker 2:1 0 bottom on timeline",
            ])
        let emergency = thrown(Status.self) {
            try give("message", ["text": "Leave", "emergency": true, "at": 0], to: host)
        }
        #expect(emergency?.errorString == "emergency is true; expected no 'at' with it: it is shown at once")
        let unknown = thrown(Status.self) {
            try give("message", ["text": "Goal", "at": 0, "timeline": "sync"], to: host)
        }
        #expect(unknown?.errorString == "timeline is sync; expected pts, as no timeline is followed")
        // 5 000 ticks a second; at 20 s the medium is at 300 s.
        let root = ClockNode()
        let rate = try #require(ClockRate(unitsPerSecond: 5_000))
        let followed = ClockNode(parent: root, rate: rate, correlation: ClockCorrelation(parentTicks: 0, ticks: 0))
        let medium = ClockCorrelation(parentTicks: 100_000, ticks: 27_000_000)
        timeline.medium = followed.path(
            to: ClockNode(parent: followed, rate: ClockRate(.mpeg), correlation: medium))
        #expect(screen.taken.isEmpty)
        try give("message", ["text": "Goal", "at": 105_000, "timeline": "sync"], to: host)
        #expect(screen.taken == ["message Goal false 10000 at 27090000 for 900000"])
    }

    /// SVM-69, 131: the table is written at once and then once a second; auto is as at start (PLAY-40).
    @Test func statisticsAreWrittenWhileTheyAreOn() throws {
        let (host, _) = try makeHost()
        statistics.attach(
            StatisticGroup(
                "region", labels: ["region": "second"],
                [.counter("picturesLate", \.self, "pictures", "Late.")] as [Statistic<Int64>]
            ) { 9 })
        statistics.attach(
            StatisticGroup(
                "region", labels: ["region": "main"],
                [.counter("picturesLate", \.self, "pictures", "Late.")] as [Statistic<Int64>]
            ) { 7 })
        host.tick(at: SystemClock.monotonic())
        _ = screen.taken
        try give("osd", ["item": "stats", "state": "on"], to: host)
        #expect(
            screen.taken == [
                "Touchline · 127.0.0.1; 6f1c · \(Build.version) (\(ImageBuild.id)); Channel: Channel none; "
                    + "Picture: Left out as late 0 a second",
                "stats on",
            ])
        host.tick(at: SystemClock.monotonic())
        #expect(screen.taken.count == 1)
        try give("osd", ["item": "stats", "state": "auto"], to: host)
        host.tick(at: SystemClock.monotonic())
        #expect(screen.taken == ["stats auto"])
    }

    @Test func switchedOffThereIsNothingToSwitch() throws {
        let (host, _) = try makeHost(["enabled": false])
        let refusal = thrown(Status.self) { try give("osd", ["item": "banner", "state": "on"], to: host) }
        #expect(refusal?.errorString == "screenText.enabled is false; expected true for 'osd'")
        #expect(screen.taken.isEmpty)
    }

    @Test func programmesAreBroadcasts() {
        let start = WallTime(nanoseconds: 1_795_292_130_000_000_000)
        let broadcast = Broadcast(title: "Match", text: "Live", start: start, duration: .seconds(5_400))
        let stop = WallTime(nanoseconds: start.nanoseconds + 5_400_000_000_000)
        #expect(Programme(broadcast) == Programme(title: "Match", start: start, stop: stop))
        #expect(Programme(Broadcast(title: "Match")) == Programme(title: "Match", start: nil, stop: nil))
    }

    /// SVM-12: each field takes effect while the box runs; a zone that the machine does not have is refused.
    @Test func settingsChange() throws {
        let (host, _, context) = try makeHostAndContext([:])
        host.start()
        #expect(screen.taken == ["options true 5 5000"])
        let change = { (patch: JSONValue) -> Result<SettingsOutcome, SettingsFailure>? in
            var result: Result<SettingsOutcome, SettingsFailure>?
            context.settings.change(.merge(["screenText": patch]), from: .localSocket) { result = $0 }
            return result
        }
        _ = try #require(change(["safeAreaPercent": 0, "bannerMs": 1_000])).get()
        _ = try #require(change(["enabled": false, "strategy": "debug"])).get()
        #expect(screen.taken == ["options true 0 1000", "options false 0 1000"])
        host.tick(at: SystemClock.monotonic())
        #expect(screen.taken.contains { $0.hasPrefix("Touchline ·") })
        guard case .failure(let failure) = try #require(change(["timeZone": "Nowhere/At_All"])) else {
            Issue.record("taken")
            return
        }
        #expect("\(failure)".contains("no such zone"))
        #expect(screen.taken.isEmpty && context.settings.running.settings.screenText.timeZone == nil)
    }
}
