// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import Mixing
import Playback
import Presentation
import Reception
import Settings
import Statistics
import System
import Time
import Venue

/// The sessions that play, the channels that are received for them, and the sessions that were closed and have not ended
/// yet. Told by method calls of the control plane's thread, which never waits here: a session that is closed ends in its
/// own time, and a report says when.
final class OpenSessions {
    /// A session that has not ended so long after it was closed hangs, most likely in its decoder.
    private static let patience = Nanoseconds.seconds(2)
    /// After so long it is taken to hang for ever.
    private static let longestHang = Nanoseconds.seconds(30)
    /// Sessions that may be ending at one time, hanging or not. Each has memory and two threads.
    private static let mostEnding = 64
    /// Until all sessions have to have ended when the box stops; it then ends without those that hang.
    private static let stopLimit = Nanoseconds.seconds(3)

    private let settings: Settings
    private let decoders: DecoderDesk
    private let stage: Stage
    private let mixer: Mixer
    private let reports: StateMailbox<MediaReport>
    private let statistics: StatisticRegistry
    private let reaper: ThreadReaper
    /// By number.
    private var open: [Int: OpenSession] = [:]
    /// Closed and not ended, by number.
    private var ending: [Int: EndingSession] = [:]
    private var kept: KeptChannels
    /// A session has ended since the last tick, which gives back to the system what it took.
    private var haveEnded = false

    private struct OpenSession {
        let session: PlaybackSession
        let region: String
        /// nil for a file.
        let reception: (channel: Channel, receiver: ChannelReceiver)?
        /// Of the session and what it receives; attached while it is open.
        let statistics: [StatisticGroup]
    }

    private struct EndingSession {
        let end: SessionEnd
        let closed: Monotonic
        var isReported = false
    }

    init(
        _ settings: Settings, decoders: DecoderDesk, stage: Stage, mixer: Mixer, reports: StateMailbox<MediaReport>,
        statistics: StatisticRegistry
    ) throws(SystemCallError) {
        self.settings = settings
        self.decoders = decoders
        self.stage = stage
        self.mixer = mixer
        self.reports = reports
        self.statistics = statistics
        let reaper = try ThreadReaper()
        self.reaper = reaper
        kept = KeptChannels { Self.leave($0, reaper) }
    }

    /// Sessions that play, or are about to.
    var count: Int { open.count }

    /// Channels that are received.
    var memberships: [(channel: Channel, membership: ChannelMembership)] {
        (open.values.compactMap(\.reception) + kept.receptions).map { ($0.channel, $0.receiver.membership) }
    }

    /// nil when the session is not open.
    func session(_ number: Int?) -> PlaybackSession? { number.flatMap { open[$0] }?.session }

    /// nil when the session is not open or plays a file.
    func receiver(of number: Int?) -> ChannelReceiver? { number.flatMap { open[$0] }?.reception?.receiver }

    // MARK: Opening

    /// Why no session can be opened, because closed ones have not ended; nil when one can. As many may hang as may play.
    var refusal: String? {
        let hanging = hangingCount(at: SystemClock.monotonic(), for: Self.patience)
        if ending.count >= Self.mostEnding { return "\(ending.count) closed sessions have not ended yet" }
        guard hanging >= settings.playback.sessionLimit else { return nil }
        return "\(hanging) closed sessions do not end: expected fewer than playback.sessionLimit "
            + "(\(settings.playback.sessionLimit))"
    }

    /// Closed sessions hang for ever, as many as may play: only another process could play anything.
    var areExhausted: Bool {
        hangingCount(at: SystemClock.monotonic(), for: Self.longestHang) >= settings.playback.sessionLimit
    }

    private func hangingCount(at now: Monotonic, for span: Nanoseconds) -> Int {
        ending.values.count { now - $0.closed >= span && !$0.end.isReached }
    }

    /// Starts to play. Nothing is left behind when it throws.
    func open(
        _ number: Int, _ source: SessionSource, choice: StreamChoice, in region: String, heard sound: RegionSound
    ) throws(SystemCallError) {
        switch source {
        case .live(let channel):
            let receiver = try receiver(of: channel, program: choice.program, region)
            do {
                let provider = LiveProvider(receiver.history, arrived: receiver.arrived)
                let delay = channel.playoutDelay(else: settings.playback.playoutDelay)
                let session = try makeSession(number, provider, delay: delay, choice)
                start(session, in: region, (channel, receiver), sound)
            } catch {
                Self.leave(receiver, reaper)
                throw error
            }
        case .file(let path):
            kept.drop(in: region)
            let session = try makeSession(number, FileProvider(path: path), delay: .zero, choice)
            start(session, in: region, nil, sound)
        }
    }

    private func makeSession(
        _ number: Int, _ provider: any SessionProvider, delay: Nanoseconds, _ choice: StreamChoice
    ) throws(SystemCallError) -> PlaybackSession {
        var options = PlaybackSession.Options(delay: delay)
        options.choice = choice
        options.stretchesAtStart = settings.playback.startPolicy == .stretch
        options.decoders = decoders
        options.decoding = DecodingLadder.Choice(settings.playback.decoding)
        options.predecessors = ending.values.map(\.end)
        options.showsDamage = settings.playback.damage == .show
        let reports = reports
        return try PlaybackSession(id: number, provider, options, pictureWakeup: stage.wakeup) {
            reports.post(.playback($0))
        }
    }

    private func start(
        _ session: PlaybackSession, in region: String, _ reception: (channel: Channel, receiver: ChannelReceiver)?,
        _ sound: RegionSound
    ) {
        stage.post(.bind(session.frames, region: region))
        mixer.attach(session.sound, volume: sound.level, isMuted: sound.isMuted)
        let groups = MediaStatistics.groups(of: session, reception?.receiver, mixer, in: region)
        for group in groups { statistics.attach(group) }
        open[session.id] = OpenSession(session: session, region: region, reception: reception, statistics: groups)
    }

    func perform(_ number: Int, _ command: SessionCommand) {
        guard let one = open[number] else { return }
        if case .select(let choice) = command { one.reception?.receiver.follow(program: choice.program) }
        one.session.post(command)
    }

    // MARK: Closing

    /// Leaves the session, which ends in its own time: `MediaReport.sessionEnded` says when. Its last picture stays on
    /// the screen. Its channel is received on for as long as its history reaches, or until another one is opened in its
    /// region.
    func close(_ number: Int) {
        guard let closing = open.removeValue(forKey: number) else { return }
        for group in closing.statistics { statistics.detach(group) }
        stage.post(.unbind(session: number))
        mixer.detach(session: number)
        let (session, now) = (closing.session, SystemClock.monotonic())
        session.close()
        ending[number] = EndingSession(end: session.end, closed: now)
        let reports = reports
        reaper.take(
            ThreadReaper.Ending(hasEnded: { session.end.isReached }) {
                session.join()
                reports.post(.sessionEnded(number))
            })
        guard let (channel, receiver) = closing.reception else { return }
        kept.keep(
            channel, receiver, of: closing.region, until: now + settings.playback.history,
            atMost: max(1, settings.playback.sessionLimit - open.count))
    }

    /// Nothing of the session runs any more.
    func ended(_ number: Int) {
        ending[number] = nil
        haveEnded = true
    }

    /// Once a second. Reports each closed session that does not end.
    func tick(at now: Monotonic) {
        kept.expire(at: now)
        for (number, one) in ending where !one.isReported && now - one.closed >= Self.patience {
            ending[number]?.isReported = true
            reports.post(.sessionHangs(number))
        }
        guard haveEnded else { return }
        haveEnded = false
        HeapMemory.giveBack()
    }

    /// - Returns: how many sessions and receivers do not end.
    func stop() -> Int {
        for number in open.keys.sorted() { close(number) }
        kept.dropAll()
        return reaper.stop(within: Self.stopLimit)
    }

    // MARK: Channels

    private static func leave(_ receiver: ChannelReceiver, _ reaper: ThreadReaper) {
        receiver.close()
        reaper.take(ThreadReaper.Ending(hasEnded: { receiver.hasEnded }) { receiver.stop() })
    }

    /// A receiver that is still there from before, if it has the same channel in the same way; else a new one.
    private func receiver(
        of channel: Channel, program: UInt16?, _ region: String
    ) throws(SystemCallError) -> ChannelReceiver {
        let same = kept.take(channel)
        kept.drop(in: region)
        if let same {
            same.follow(program: program)
            return same
        }
        return try ChannelReceiver(
            channel.transport, interface: settings.network.interface ?? "", bandwidthKbps: channel.bandwidthKbps,
            program: program, delay: channel.playoutDelay(else: settings.playback.playoutDelay),
            history: makeHistory(for: channel), membership: ChannelMembership.Options(settings.network),
            limits: settings.monitor)
    }

    /// Octets that are kept of a channel whose bit rate is not announced, and the least that is kept of any.
    private static let smallestHistory = 4 << 20

    private func makeHistory(for channel: Channel) -> HistoryBuffer {
        // What is repaired may be asked for only when it is shown.
        let delay = channel.playoutDelay(else: settings.playback.playoutDelay)
        let span = max(settings.playback.history, delay + .seconds(1))
        // Half as much again as the nominal rate says: announced rates are averages.
        let wanted = channel.bandwidthKbps > 0 ? Int(span.milliseconds) * channel.bandwidthKbps / 8 * 3 / 2 : .max
        let capacity = max(Self.smallestHistory, min(wanted, settings.playback.historyLimitOctets))
        return HistoryBuffer(span: span, capacity: capacity)
    }
}

extension ChannelMembership.Options {
    fileprivate init(_ network: Settings.Network) {
        self.init()
        silence = SilenceWatch.Waits(first: network.rejoinWait, longest: network.longestRejoinWait)
        failover = network.sourceFailover
    }
}

extension DecodingLadder.Choice {
    fileprivate init(_ decoding: Settings.Playback.Decoding) {
        self =
            switch decoding {
            case .automatic: .auto
            case .hardware: .hardware
            case .software: .software
            }
    }
}
