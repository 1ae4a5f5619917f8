// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import Mixing
import Network
import Playback
import Presentation
import Reception
import Recording
import Settings
import Statistics
import System
import Time
import Tuning
import Venue

/// The open sessions, the channels that are received for them, and the closed sessions that have not ended yet. The
/// control plane's thread calls these methods and never waits in them: a closed session ends in its own time, and a
/// report says when.
final class OpenSessions {
    /// Time after its closing at which a session that has not ended is said to hang, most likely in its decoder.
    private static let patience = Nanoseconds.seconds(2)
    /// Time after its closing at which a session is taken to hang for ever.
    private static let longestHang = Nanoseconds.seconds(30)
    /// Limit of closed sessions that have not ended, hanging or not. Each has memory and two threads.
    private static let mostEnding = 64
    /// Time that sessions have to end when the box stops. The box then ends without those that hang.
    private static let stopLimit = Nanoseconds.seconds(3)

    private var settings: Settings
    /// Counts the changes of what receivers are made with. Those of an earlier generation are not kept.
    var generation = 0
    private let stamps: StampingClock
    private let decoders: DecoderPool
    private let stage: Stage
    private let mixer: Mixer
    private let reports: StateMailbox<MediaReport>
    /// What is counted, and what is recorded.
    private let records: (statistics: StatisticRegistry, recordings: FlowRecordings)
    private let reaper: ThreadReaper
    /// Open sessions by number.
    private var open: [Int: OpenSession] = [:]
    /// Closed sessions that have not ended, by number.
    private var ending: [Int: EndingSession] = [:]
    var kept: KeptChannels
    private var found = FoundRepairs()
    private let histories: HistoryBudget
    /// Whether a session has ended since the last tick. The next tick then returns free heap memory to the system.
    private var haveEnded = false

    init(
        _ settings: Settings, stamps: StampingClock, decoders: DecoderPool, stage: Stage, mixer: Mixer,
        reports: StateMailbox<MediaReport>, statistics: StatisticRegistry, recordings: FlowRecordings
    ) throws(SystemCallError) {
        self.settings = settings
        self.stamps = stamps
        self.decoders = decoders
        self.stage = stage
        self.mixer = mixer
        self.reports = reports
        records = (statistics, recordings)
        let reaper = try ThreadReaper()
        self.reaper = reaper
        let histories = HistoryBudget(
            setting: settings.playback.historiesLimitOctets, allowance: MemoryAllowance.octets())
        self.histories = histories
        kept = KeptChannels { Self.leave($0, histories, recordings, reaper) }
    }

    /// The number of open sessions.
    var count: Int { open.count }

    /// Memberships of the channels that are received, including those that are kept.
    var memberships: [(channel: Channel, membership: ChannelMembership)] {
        (open.values.compactMap(\.reception) + kept.receptions).map { ($0.channel, $0.receiver.membership) }
    }

    /// Memberships of the channels that are played.
    var played: [(channel: Channel, membership: ChannelMembership)] {
        open.values.compactMap(\.reception).map { ($0.channel, $0.receiver.membership) }
    }

    /// nil if the session is not open.
    func session(_ number: Int?) -> PlaybackSession? { number.flatMap { open[$0] }?.session }

    /// nil if the session is not open or plays a file.
    func receiver(of number: Int?) -> ChannelReceiver? { number.flatMap { open[$0] }?.reception?.receiver }

    // MARK: Settings

    /// Opens sessions by other settings from now on.
    /// - Returns: whether open sessions of channels have to be opened again for it.
    func apply(_ new: Settings) -> Bool {
        let old = settings
        settings = new
        if new.playback.historiesLimitOctets != old.playback.historiesLimitOctets {
            histories.follow(setting: new.playback.historiesLimitOctets, allowance: MemoryAllowance.octets())
        }
        let receives = Reception(new) != Reception(old)
        if receives { receiveAnew() }
        if !new.network.findsParity { found.forgetAll() }
        return receives || Decoding(new) != Decoding(old)
    }

    // MARK: Opening

    /// Why no session can be opened; nil if one can. Fewer sessions may hang than `playback.sessionLimit`.
    var refusal: String? {
        let hanging = hangingCount(at: SystemClock.monotonic(), for: Self.patience)
        if ending.count >= Self.mostEnding { return "\(ending.count) closed sessions have not ended yet" }
        guard hanging >= settings.playback.sessionLimit else { return nil }
        return "\(hanging) closed sessions do not end: expected fewer than playback.sessionLimit "
            + "(\(settings.playback.sessionLimit))"
    }

    /// How many sessions the decoders take; nil if the processor decodes as well, or if that is not known.
    var decodedLimit: Int? { settings.playback.decoding == .hardware ? decoders.budget.mostSessions : nil }

    /// Whether as many sessions hang for ever as may be open. Only another process could play anything then.
    var areExhausted: Bool {
        hangingCount(at: SystemClock.monotonic(), for: Self.longestHang) >= settings.playback.sessionLimit
    }

    private func hangingCount(at now: Monotonic, for span: Nanoseconds) -> Int {
        ending.values.count { now - $0.closed >= span && !$0.end.isReached }
    }

    /// Opens a session. Nothing remains open if it throws.
    /// - Parameter headroom: how much later than it could a channel presents.
    func open(
        _ number: Int, _ source: SessionSource, choice: StreamChoice, in region: String, headroom: Nanoseconds,
        heard sound: RegionSound
    ) throws {
        switch source {
        case .live(let channel):
            let receiver = try receiver(of: channel, for: number, program: choice.program, region)
            do {
                let provider = LiveProvider(receiver.history, arrived: receiver.arrived)
                let delay = found.completing(channel).playoutDelay(else: settings.playback.playoutDelay)
                let session = try makeSession(number, provider, delay: delay + headroom, choice)
                start(session, in: region, (channel, receiver), sound)
            } catch {
                Self.leave(receiver, histories, records.recordings, reaper)
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
        var one = OpenSession(
            session: session, region: region, reception: reception, countedBefore: reception?.receiver.counters,
            generation: generation)
        count(&one)
        open[session.id] = one
    }

    /// Attaches the session's statistics, labelled with its region.
    private func count(_ one: inout OpenSession) {
        var reception: (receiver: ChannelReceiver, before: ReceptionCounters)?
        if let receiver = one.reception?.receiver, let before = one.countedBefore { reception = (receiver, before) }
        one.statistics = MediaStatistics.groups(of: one.session, reception, mixer, in: one.region)
        for group in one.statistics { records.statistics.attach(group) }
    }

    // MARK: Moving

    /// Gives each of two regions what the stage shows of the other, and its session.
    func exchange(_ name: String, with other: String) {
        stage.post(.exchange(name, with: other))
        for (number, session) in open where session.region == name || session.region == other {
            var one = session
            for group in one.statistics { records.statistics.detach(group) }
            one.region = one.region == name ? other : name
            count(&one)
            open[number] = one
        }
    }

    /// Makes the play-out delay of a channel so much longer than it could be, unless it is as long already.
    func give(headroom: Nanoseconds, to number: Int?) {
        guard let one = number.flatMap({ open[$0] }), let channel = one.reception?.channel else { return }
        let delay = found.completing(channel).playoutDelay(else: settings.playback.playoutDelay)
        one.session.post(.lengthenDelay(delay + headroom))
    }

    func perform(_ number: Int, _ command: SessionCommand) {
        guard let one = open[number] else { return }
        if case .select(let choice) = command { one.reception?.receiver.follow(program: choice.program) }
        one.session.post(command)
    }

    // MARK: Closing

    /// Closes the session, which ends in its own time: `MediaReport.sessionEnded` says when. Its last picture stays on
    /// the screen. Its channel is still received for `playback.history`, or until another session opens in its region.
    func close(_ number: Int) {
        guard let closing = open.removeValue(forKey: number) else { return }
        for group in closing.statistics { records.statistics.detach(group) }
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
        let counters = receiver.counters
        // What was found once did not come this time.
        if receiver.found == nil, counters.repairDatagrams == 0, counters.datagrams > 0 { found.forget(channel) }
        guard closing.generation == generation else {
            return Self.leave(receiver, histories, records.recordings, reaper)
        }
        kept.keep(
            channel, receiver, of: closing.region, until: now + settings.playback.history,
            atMost: max(1, settings.playback.sessionLimit - open.count))
    }

    /// To be called when all threads of the closed session have been joined.
    func ended(_ number: Int) {
        ending[number] = nil
        haveEnded = true
    }

    /// Reports each closed session that hangs, once. To be called once a second.
    func tick(at now: Monotonic) {
        kept.expire(at: now)
        useFoundRepair()
        tellConflicts()
        for (number, one) in ending where !one.isReported && now - one.closed >= Self.patience {
            ending[number]?.isReported = true
            reports.post(.sessionHangs(number))
        }
        guard haveEnded else { return }
        haveEnded = false
        HeapMemory.giveBack()
    }

    /// - Returns: the number of sessions and receivers that have not ended.
    func stop() -> Int {
        for number in open.keys.sorted() { close(number) }
        kept.dropAll()
        return reaper.stop(within: Self.stopLimit)
    }

    // MARK: Repair that nobody announced

    /// nil if none was found.
    func foundRepair(of channel: Channel) -> Repair? { found[channel] }

    /// Protects the channels beside which parity was found, without an interruption: play-out delays grow to what it
    /// needs, and gaps stay open for as long as the delay allows meanwhile.
    private func useFoundRepair() {
        for one in open.values {
            guard let (channel, receiver) = one.reception, let parity = receiver.found else { continue }
            let hold = Channel.longestHold(within: one.session.playbackClock.state.delay)
            guard !receiver.isReinforced else {
                receiver.allow(hold)
                continue
            }
            if found[channel] == nil { reports.post(.repairFound(channel, parity)) }
            found.remember(parity, of: channel)
            let delay = found.completing(channel).playoutDelay(else: settings.playback.playoutDelay)
            // A history that is too short for it is made anew when the channel is tuned again.
            guard receiver.history.span >= delay + Self.historyMargin else { continue }
            records.recordings.found(.parity(parity), hold: hold, by: receiver.tap)
            receiver.reinforce(by: .parity(parity), hold: hold)
            one.session.post(.lengthenDelay(delay))
        }
    }

    private func tellConflicts() {
        for (number, one) in open {
            guard let (channel, receiver) = one.reception, let conflict = receiver.conflict,
                conflict != one.toldConflict
            else { continue }
            open[number]?.toldConflict = conflict
            reports.post(.senderConflict(channel, conflict))
        }
    }

    // MARK: Channels

    private static func leave(
        _ receiver: ChannelReceiver, _ histories: HistoryBudget, _ recordings: FlowRecordings, _ reaper: ThreadReaper
    ) {
        let now = SystemClock.monotonic()
        receiver.close()
        histories.leave(receiver.history, at: now)
        recordings.end(receiver.tap, at: now)
        reaper.take(ThreadReaper.Ending(hasEnded: { receiver.hasEnded }) { receiver.stop() })
    }

    /// The kept receiver of the channel if it has the same transport; else a new one.
    private func receiver(
        of original: Channel, for session: Int, program: ProgramChoice?, _ region: String
    ) throws -> ChannelReceiver {
        let same = kept.take(original)
        kept.drop(in: region)
        if let limit = settings.playback.bandwidthLimitKbps {
            kept.shed(until: limit, beside: open.values.compactMap { $0.reception?.channel } + [original])
        }
        let channel = found.completing(original)
        if let same {
            same.follow(program: program)
            if let repair = found[original], same.history.span >= historySpan(of: channel) {
                let delay = channel.playoutDelay(else: settings.playback.playoutDelay)
                let hold = Channel.longestHold(within: delay)
                if !same.isReinforced { records.recordings.found(repair, hold: hold, by: same.tap) }
                same.reinforce(by: repair, hold: hold)
            }
            return same
        }
        let history = try makeHistory(for: channel, in: session)
        let tap = records.recordings.begin(
            FlowDescription(
                channel.name, channel.transport, bandwidthKbps: channel.bandwidthKbps,
                program: program.recordedText, counters: ReceptionCounters.names, keepsPayload: false))
        return try ChannelReceiver(
            channel.transport, interface: settings.network.interface ?? "", bandwidthKbps: channel.bandwidthKbps,
            program: program, delay: channel.playoutDelay(else: settings.playback.playoutDelay),
            history: history,
            membership: ChannelMembership.Options(settings.network), limits: settings.monitor,
            findsParity: settings.network.findsParity, clock: stamps, tap: tap)
    }

    /// The smallest capacity of a history, in octets.
    private static let smallestHistory = 4 << 20
    /// A packet may be read this much later than it is due.
    private static let historyMargin = Nanoseconds.seconds(1)

    private func historySpan(of channel: Channel) -> Nanoseconds {
        // A packet may be repaired, and then read, as late as the play-out delay.
        let delay = channel.playoutDelay(else: settings.playback.playoutDelay)
        return max(settings.playback.history, delay + Self.historyMargin)
    }

    private func makeHistory(for channel: Channel, in session: Int) throws(HistoryBudget.Refusal) -> HistoryBuffer {
        let span = historySpan(of: channel)
        let delay = channel.playoutDelay(else: settings.playback.playoutDelay)
        let limit = max(Self.smallestHistory, settings.playback.historyLimitOctets)
        // One and a half times the announced rate, which is an average; nil if none is announced.
        func octets(of span: Nanoseconds) -> Int? {
            guard channel.bandwidthKbps > 0 else { return nil }
            return max(Self.smallestHistory, min(Int(span.milliseconds) * channel.bandwidthKbps / 8 * 3 / 2, limit))
        }
        let wanted = octets(of: span) ?? limit
        let grant = try histories.grant(
            wanted, atLeast: octets(of: delay + Self.historyMargin) ?? Self.smallestHistory, of: channel.name,
            kept: kept.octets, at: SystemClock.monotonic())
        let shed = kept.shed(grant.shed)
        if !shed.isEmpty || grant.octets < wanted {
            reports.post(
                .historyCut(
                    HistoryCut(
                        session: session, channel: channel.name, wanted: wanted, granted: grant.octets, shed: shed)))
        }
        let history = HistoryBuffer(span: span, capacity: grant.octets)
        histories.add(history)
        return history
    }
}
