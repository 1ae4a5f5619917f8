// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Journal
import Playback
import Presentation
import Radios
import Reporting
import Settings
import Shapes
import Statistics
import System
import Time
import Venue

/// The feature that shows what the box counts (SVM-69, 101…126), and tells of faults of the streams that play.
public final class Monitoring: Feature {
    public static let summary = """
        what the box counts, alarms of the channels that play, and which picture was shown when; the commands `stats` and \
        `presentations`
        """

    /// The counters of the media threads. The product provides this value.
    public struct Media {
        /// Counters of a session; nil if it is not open.
        public var playback: (_ session: Int) -> PlaybackCounters?
        /// Counters of the stage since the region was made.
        public var region: (_ name: String) -> RegionCounters
        /// Quality of the channel of a session; nil if the session is not open or plays a file.
        public var quality: (_ session: Int) -> StreamQuality?
        /// Pictures that the main region showed, from the one with this number on, so many at most.
        public var presentations: (_ number: Int, _ limit: Int) -> (entries: [PresentationLog.Entry], next: Int)

        public init(
            playback: @escaping (Int) -> PlaybackCounters?, region: @escaping (String) -> RegionCounters,
            quality: @escaping (Int) -> StreamQuality?,
            presentations: @escaping (Int, Int) -> (entries: [PresentationLog.Entry], next: Int)
        ) {
            self.playback = playback
            self.region = region
            self.quality = quality
            self.presentations = presentations
        }
    }

    /// What is kept of each open session.
    private struct Kept {
        /// The late pictures of the region when the session began, to be subtracted for the session's own.
        var lateBefore: Int64
        /// The alarms that were last told.
        var alarms: StreamIndicator.Set = []
    }

    private final class Sessions {
        var kept: [Int: Kept] = [:]
    }

    public static var commands: [Handler<Monitoring>] {
        [Handler(ShowStatistics.self), Handler(ShowPresentations.self)]
    }
    public static var events: [EventDescription] {
        [EventDescription(QualityChanged.self), EventDescription(SessionPlayed.self)]
    }

    private let context: FeatureContext
    private let log: Log
    private let regions: RegionDirectory
    private let media: Media
    private let sessions = Sessions()
    private let groups: [StatisticGroup]

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "playback")
        let (regions, media) = (context.provided(RegionDirectory.self), context.provided(Media.self))
        (self.regions, self.media) = (regions, media)
        let (health, radio) = (context.provided(HealthView.self), context.provided(RadioView.self))
        groups = [
            StatisticGroup("session", each: SessionFigures.statistics) { [sessions] in
                regions.all.compactMap { region in
                    guard let session = region.player.current else { return nil }
                    let late = media.region(region.name).picturesLate - (sessions.kept[session.id]?.lateBefore ?? 0)
                    let figures = SessionFigures(
                        announcement: session.source.channel.map { (Int64($0.sessionNumber), $0.sessionTitle) },
                        droppedPictures: late + (media.playback(session.id)?.picturesLeftOut ?? 0),
                        lossPPM: health.snapshot.lossPPM[session.id],
                        radioScore: radio.linkScore(of: health.snapshot.uplinks),
                        uptime: (SystemClock.monotonic() - session.opened).seconds)
                    return (["region": region.name, "session": "\(session.id)"], figures)
                }
            },
            StatisticGroup("region", each: RegionCounters.statistics) {
                regions.all.map { (["region": $0.name], media.region($0.name)) }
            },
            StatisticGroup("controlLoop", TurnCounters.statistics) { [loop = context.loop] in loop.turns },
        ]
        regions.addConsumer(
            SessionConsumer(
                "monitoring",
                started: { [sessions] session, region in
                    sessions.kept[session.id] = Kept(lateBefore: media.region(region.name).picturesLate)
                }, ended: { [sessions] session, _, _ in sessions.kept[session.id] = nil },
                exchanged: { [sessions] one, other in
                    for (here, before) in [(one, other), (other, one)] {
                        guard let session = here.player.current?.id, let kept = sessions.kept[session] else { continue }
                        let late = media.region(before.name).picturesLate - kept.lateBefore
                        sessions.kept[session]?.lateBefore = media.region(here.name).picturesLate - late
                    }
                }))
        let log = log
        regions.addConsumer(ProofOfPlay(media) { log(.notice, "played", $0.fields) }.consumer("log of play"))
        regions.offerConsumer(
            ProofOfPlay(media) { context.emit($0) }.consumer(Settings.Strategy.Consumer.proofOfPlay.rawValue))
    }

    public func start() { for group in groups { context.statistics.attach(group) } }

    public func stop() { for group in groups { context.statistics.detach(group) } }

    public func tick(at now: Monotonic) { for region in regions.all { watch(region) } }

    /// - Parameter region: whose session is meant; nil for `main`.
    func reference(of region: String?) throws(Status) -> JSONValue {
        let region = try regions.addressed(region: region)
        return .object(StatisticsView(snapshot: context.statistics.snapshot()).reference(of: region.name))
    }

    /// - Parameter region: whose session is at the top; nil for `main`.
    func all(of region: String?) throws(Status) -> JSONValue {
        let region = try regions.addressed(region: region)
        return StatisticsView(snapshot: context.statistics.snapshot()).json(of: region.name)
    }

    func presentations(from number: Int, atMost limit: Int) -> (entries: [PresentationLog.Entry], next: Int) {
        media.presentations(number, limit)
    }

    var descriptions: JSONValue { context.statistics.descriptions }

    /// Tells of faults that became an alarm or ceased to be one.
    private func watch(_ region: RegionPlayer) {
        guard let session = region.player.current, let channel = session.source.channel,
            let before = sessions.kept[session.id]?.alarms, let quality = media.quality(session.id)
        else { return }
        sessions.kept[session.id]?.alarms = quality.alarms
        guard quality.alarms != before else { return }
        let event = QualityChanged(
            id: channel.id.text, channel: channel.name, session: session.id, alarms: quality.alarms, before: before,
            shortLossPPM: quality.shortLossPPM, region: region.isMain ? nil : region.name)
        log(
            event.raised.isEmpty ? .notice : .warning, "quality",
            [
                "channel": channel.name, "raised": event.raised.joined(separator: ","),
                "cleared": event.cleared.joined(separator: ","),
            ])
        context.emit(event)
    }
}
