// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Journal
import LineUp
import Network
import Settings
import Shapes
import Statistics
import System
import Time
import Venue

/// The feature that hears announcements, and lists and reports the channels and head-ends that are announced or set
/// (SVM-26, 31, 34, 37…41).
public final class Channels: Feature {
    public static let summary = """
        announcements are heard; channels and head-ends are listed and their changes reported; the commands \
        `channels` and `streamers`
        """

    public static var commands: [Handler<Channels>] { [Handler(ListChannels.self), Handler(ListStreamers.self)] }
    public static var events: [EventDescription] {
        [
            EventDescription(ChannelAdded.self), EventDescription(ChannelChanged.self),
            EventDescription(ChannelRemoved.self), EventDescription(VideoChannelsChanged.self),
            EventDescription(DataChannelsChanged.self), EventDescription(FileChannelsChanged.self),
            EventDescription(StreamerAdded.self), EventDescription(StreamerChanged.self),
            EventDescription(StreamerRemoved.self), EventDescription(RepairFound.self),
            EventDescription(SecondSender.self),
        ]
    }

    /// What Channels needs of the media threads. The product provides this value.
    public struct Media {
        /// Arrival of the newest datagram of each channel that is played, or whose data are used.
        public var received: () -> [Channel.ID: Monotonic]

        /// Repair that was found of a channel; nil if none was.
        public var foundRepair: (Channel) -> Repair?

        public init(
            received: @escaping () -> [Channel.ID: Monotonic],
            foundRepair: @escaping (Channel) -> Repair? = { _ in nil }
        ) {
            self.received = received
            self.foundRepair = foundRepair
        }
    }

    /// Time from start after which channels are logged that the settings name and nobody has announced.
    private static let longestSilence = Nanoseconds.seconds(60)

    private let context: FeatureContext
    private let log: Log
    private let lineUp: LineUpView
    private let media: Media
    private let nowNext: NowNextView
    private let zone: LocalZone
    private let listener: AnnouncementListener
    private let list: ChannelListReport
    private let figures: StatisticGroup
    private var joinFailures: [SystemCallError] = []
    /// Senders whose announcements came too often when that was last looked at.
    private var flooding: Set<NumericAddress> = []

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "announcements")
        let lineUp = context.provided(LineUpView.self)
        self.lineUp = lineUp
        media = context.provided(Media.self)
        nowNext = context.provided(NowNextView.self)
        zone = context.provided(LocalZone.self)
        list = ChannelListReport(context, lineUp)
        figures = StatisticGroup("lineUp", LineUpCounters.statistics) { lineUp.current.counters }
        listener = AnnouncementListener(context.provided(Settings.self), loop: context.loop)
        listener.handler = { [list, log] datagram, sender, arrival in
            let changes = lineUp.current.handle(datagram: datagram, from: sender, at: arrival)
            if !changes.isEmpty {
                log(
                    .debug, "line-up changed",
                    ["sender": sender, "changes": changes.count, "first": changes[0].summary])
            }
            list.gather(changes)
        }
        listener.onRead = { [list] dropped in
            if dropped > 0 { lineUp.current.lostToKernel(dropped) }
            list.flushIfDue()
        }
        let sections = ["announcements", "box", "channels", "license", "lineUp", "playlists", "network"]
        context.settings.follow(sections) { [weak self] new, _ in self?.apply(new) }
    }

    /// Joins the announcement groups and reports the channels of the settings.
    public func start() {
        context.statistics.attach(figures)
        joinMissing()
        list.begin()
        _ = context.loop.after(Self.longestSilence) { [weak self] in self?.warnOfUnknownNames() }
    }

    public func tick(at now: Monotonic) {
        for _ in 0..<listener.restartSilent(at: now) { lineUp.current.groupRestarted() }
        joinMissing()
        perform(lineUp.current.tick(now: now, received: media.received()))
        warnOfFloods()
    }

    public func stop() {
        listener.stop()
        context.statistics.detach(figures)
    }

    /// Whether at least one announcement group is joined, or none is configured.
    public var isListening: Bool { listener.isListening }

    /// Why groups are not joined; empty if all are.
    public var joinProblems: [String] { joinFailures.map(\.description) }

    /// Announcement groups are left and joined at once with their link.
    /// - Parameter links: nil when rtnetlink is unavailable.
    public func follow(_ links: LinkState?) {
        listener.follow(links)
        joinMissing()
    }

    /// Leaves and joins the announcement groups again, because the network may have forgotten them while the machine was
    /// suspended.
    public func rejoin() {
        listener.leaveAll()
        joinMissing()
    }

    /// Parity was found beside a channel that plays.
    public func repairFound(_ parity: RepairParity, of channel: Channel) {
        let repair = Repair.parity(parity)
        log(.notice, "parity found", ["channel": channel.name, "spanMs": parity.span.milliseconds])
        context.emit(RepairFound(id: channel.id.text, channel: channel.name, repair: repair.json))
    }

    /// Two senders send a channel that plays.
    public func conflictFound(played: DatagramPeer, other: DatagramPeer, of channel: Channel) {
        let (played, other) = ("\(played)", "\(other)")
        log(.warning, "two senders", ["channel": channel.name, "played": played, "other": other])
        context.emit(SecondSender(id: channel.id.text, channel: channel.name, played: played, other: other))
    }

    // MARK: Answers

    func documents(where isWanted: (ListedChannel) -> Bool) -> [ChannelDocument] {
        lineUp.current.listed.filter(isWanted).map { entry in
            let now = nowNext.current[entry.id]?.now
            let isOn = now.map { BroadcastAnswer($0, in: zone.rules).json } ?? .null
            let announcers = lineUp.current.announcers(of: entry.id).map { JSONValue.string($0.description) }
            let row = list.document(of: entry).adding("now", isOn).adding("announcedBy", .array(announcers))
            let repair = entry.channel.flatMap { media.foundRepair($0) }
            return repair.map { row.adding("repair", $0.json) } ?? row
        }
    }

    var streamers: [StreamerRow] {
        let (now, faults) = (SystemClock.monotonic(), lineUp.current.faults)
        return lineUp.current.streamers.map { streamer in
            let fault = NumericAddress(streamer.address).flatMap { faults[$0] }
            return StreamerRow(streamer: streamer, now: now, fault: fault?.reason.description)
        }
    }

    /// Senders of which no announcement was taken, with the reason: why a channel is not there.
    var refusedSenders: [StreamerRow] {
        let (now, known) = (SystemClock.monotonic(), lineUp.current.streamers)
        let unknown = lineUp.current.faults.values.filter { fault in
            !known.contains { $0.address == fault.sender.description }
        }
        return unknown.sorted { $0.sender.description < $1.sender.description }.map { fault in
            let address = fault.sender.description
            let sender = Streamer(
                id: Streamer.ID("sap:\(address)"), name: address, address: address, version: nil,
                firstHeard: fault.time, lastHeard: fault.time, channelCount: 0, isAllowed: true)
            return StreamerRow(streamer: sender, now: now, fault: fault.reason.description)
        }
    }

    // MARK: Changes

    private func apply(_ settings: Settings) {
        perform(lineUp.current.apply(LineUpSettings(settings)))
        listener.use(settings)
        joinMissing()
    }

    private func perform(_ changes: [LineUpChange]) {
        list.gather(changes)
        list.flush()
    }

    /// Logs each sender that announces more than is read, once in a flood.
    private func warnOfFloods() {
        let floods = lineUp.current.faults.values.filter(\.isOfRate)
        for flood in floods.sorted(by: { $0.sender.description < $1.sender.description })
        where !flooding.contains(flood.sender) {
            log(.warning, "announcements left unread", ["sender": flood.sender, "reason": flood.reason])
        }
        flooding = Set(floods.map(\.sender))
    }

    /// Joins the groups that are not joined. Failures are logged only when they differ from those of the last attempt.
    private func joinMissing() {
        let failures = listener.joinMissing()
        guard failures != joinFailures else { return }
        joinFailures = failures
        for failure in failures { log(.error, "group not joined", ["error": failure]) }
        if failures.isEmpty { log(.notice, "all groups joined") }
    }

    /// Called once, late enough for every channel that is sent to have been announced.
    private func warnOfUnknownNames() {
        let names = lineUp.current.unknownNames
        guard !names.isEmpty else { return }
        log(
            .warning, "lineUp of the settings names what is not there",
            ["count": names.count, "names": names.prefix(16).joined(separator: ", ")])
    }
}
