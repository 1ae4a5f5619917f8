// SPDX-License-Identifier: Apache-2.0
import Announcements
import Bytes
import Time
import Venue

/// The venue's channels and streamers, as announced and as written in the settings.
///
/// A value without clock or I/O: it depends on datagrams, ticks and settings alone, so equal input gives equal changes
/// and counters. `config/ANNOUNCEMENT.md` has the rules for senders.
public struct LineUp: Sendable {
    public private(set) var counters = LineUpCounters()
    /// The latest fault of each sender, which tells a technician why a channel is missing. A sender is absent after
    /// `LineUpFault.memory` without another one.
    public private(set) var faults: [NumericAddress: LineUpFault] = [:]

    private var settings: LineUpSettings
    private let limits: LineUpLimits
    private var sessions = SessionTable()
    private var twins: TwinAnnouncements
    private var table = StreamerTable()
    private var refused: RefusedSenders
    private var budget: ReadingBudget
    private(set) var guide = ChannelList()

    /// The channels and playlists of the settings are listed from the start, without a change.
    public init(settings: LineUpSettings = LineUpSettings(), limits: LineUpLimits = LineUpLimits()) {
        self.settings = LineUpSettings()
        self.limits = limits
        refused = RefusedSenders(limit: limits.refusedSenders)
        twins = TwinAnnouncements(limit: limits.sessions)
        budget = ReadingBudget(limits)
        _ = apply(settings)
    }

    // MARK: Snapshots

    /// All channels, under the names of the list; no playlists. Sorted by session number, name and id.
    public var channels: [Channel] { guide.channels }

    /// Addresses of the senders that announce a channel, the one that describes it first; empty for any other channel.
    public func announcers(of id: Channel.ID) -> [NumericAddress] { sessions[id]?.announcers.map(\.key.sender) ?? [] }

    /// All streamers, also those that settings refuse. Sorted by name and id.
    public var streamers: [Streamer] {
        (table.streamers + refused.streamers).sorted { ($0.name, $0.id.text) < ($1.name, $1.id.text) }
    }

    // MARK: Announcements

    /// - Parameter bytes: one datagram of a SAP group, valid during the call.
    /// - Returns: the changes that it caused, often none.
    public mutating func handle(
        datagram bytes: UnsafeRawBufferPointer, from sender: NumericAddress, at now: Monotonic
    ) -> [LineUpChange] {
        counters.announcementsReceived += 1
        let sender = sender.unmapped
        do throws(LineUpFault.Reason) {
            guard settings.allows(sender) else { throw .notAllowed }
            return try read(bytes, from: sender, at: now)
        } catch {
            record(error, of: sender, at: now)
            return error == .notAllowed ? refused.heard(sender, at: now).map { [$0] } ?? [] : []
        }
    }

    /// Prunes sessions and senders that have been silent for too long. A channel whose media are received is not silent,
    /// even if nothing announces it any more. To be called once a second.
    /// - Parameter received: arrival of the newest datagram of each channel that is received.
    public mutating func tick(now: Monotonic, received: [Channel.ID: Monotonic] = [:]) -> [LineUpChange] {
        let settings = settings
        budget.prune(at: now)
        twins.prune(at: now)
        // As long as one of several senders announces a session, the others are gone when they are silent.
        let silent = sessions.all.filter { session in
            session.isSilent(at: now, by: settings)
                ? session.isSilent(at: now, received: received[session.id], by: settings)
                : session.announcers.contains { $0.isSilent(at: now, by: settings) }
        }
        faults = faults.filter { now - $0.value.time < LineUpFault.memory }
        return remove({ $0.isSilent(at: now, by: settings) }, of: silent, .pruned)
            + refused.prune(at: now, by: settings)
    }

    /// Counts a restart: the listener left and joined one of its groups again.
    public mutating func groupRestarted() { counters.listenerIgmpRestarts += 1 }

    /// Counts datagrams that the kernel dropped before the listener could read them.
    public mutating func lostToKernel(_ count: Int) { counters.announcementsLostToKernel += UInt64(max(0, count)) }

    private mutating func record(_ reason: LineUpFault.Reason, of sender: NumericAddress, at now: Monotonic) {
        counters.count(reason)
        if faults[sender] == nil, faults.count >= limits.refusedSenders,
            let oldest = faults.values.min(by: { $0.time < $1.time })
        {
            faults[oldest.sender] = nil
        }
        faults[sender] = LineUpFault(sender: sender, time: now, reason: reason)
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer, from sender: NumericAddress, at now: Monotonic
    ) throws(LineUpFault.Reason) -> [LineUpChange] {
        let packet: SAPPacket
        do throws(WireError) {
            packet = try SAPPacket(parsing: bytes)
        } catch {
            throw .malformed(error)
        }
        let key = Announcer.Key(sender: sender, origin: packet.origin, identifierHash: packet.identifierHash)
        guard packet.kind == .announcement else {
            // Deleting an unknown session is no fault: senders may repeat the deletion.
            guard let session = sessions.session(announcedBy: key)?.session else { return [] }
            return remove({ $0.key == key }, of: [session], .deleted)
        }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[packet.payload])
        if let (session, index) = sessions.session(announcedBy: key),
            session.announcers[index].repeats(packet.form, payload)
        {
            heardAgain(session, index, at: now)
            return []
        }
        if twins.repeats(key, packet.form, payload, at: now) {
            counters.announcementsTwin += 1
            return []
        }
        if packet.form == .encrypted { throw .encrypted }
        try budget.take(of: sender, isKnown: sessions.count(of: sender) > 0, at: now)
        guard let offer = try ChannelOffer.read(packet.form, payload, key: key) else {
            twins.store(key, packet.form, payload, at: now)
            counters.announcementsTwin += 1
            return []
        }
        return try accept(offer, packet.form, payload, key: key, at: now)
    }

    private mutating func heardAgain(_ session: AnnouncedSession, _ index: Int, at now: Monotonic) {
        let announcer = session.announcers[index]
        sessions.heard(session.id, index, at: now)
        table.heard(announcer.streamer, at: now)
        judge(announcer.offer, of: announcer.key.sender, at: now)
    }

    /// Counts the fault of an offer that is remembered although it cannot be listed, or only without its repair.
    private mutating func judge(_ offer: ChannelOffer, of sender: NumericAddress, at now: Monotonic) {
        if !settings.licenses(offer.channel) {
            record(.licenseMismatch(offer.channel.fieldOfUse), of: sender, at: now)
        } else if let reason = offer.unusableRepair {
            record(.unusableRepair(reason), of: sender, at: now)
        }
    }

    private mutating func accept(
        _ offer: ChannelOffer, _ form: SAPPacket.Form, _ payload: UnsafeRawBufferPointer, key: Announcer.Key,
        at now: Monotonic
    ) throws(LineUpFault.Reason) -> [LineUpChange] {
        var announcer = Announcer(
            key: key, offer: offer, streamer: table.entry(of: offer, by: key.sender), form: form,
            payload: Array(payload), rhythm: AnnouncementRhythm(firstHeard: now))
        announcer.rhythm.heard(at: now)
        guard let session = sessions.session(of: offer, from: key.sender) else { return try begin(announcer, at: now) }
        if let index = session.index(of: key.sender) { return renew(session, index, by: announcer, at: now) }
        if session.admits(offer) { return try add(announcer, to: session, at: now) }
        if isAbandoned(session, in: offer.streamer, by: key.sender, at: now) {
            announcer.streamer = offer.streamer
            return takeOver(session, by: announcer, at: now)
        }
        guard !session.announcers.contains(where: { $0.offer.channel.id == session.id }) else {
            throw .conflicting(owner: session.first.key.sender)
        }
        // It goes on under the id of one that has ended, and that is back as something else.
        return begin(announcer, after: remove({ _ in true }, of: [session], .deleted), at: now)
    }

    private mutating func begin(_ announcer: Announcer, at now: Monotonic) throws(LineUpFault.Reason) -> [LineUpChange]
    {
        let (offer, sender) = (announcer.offer, announcer.key.sender)
        if let owner = table.owner(of: offer.streamer), owner != sender { throw .conflicting(owner: owner) }
        try checkQuota(of: announcer)
        guard sessions.count < limits.sessions else { throw .overflowing(limit: limits.sessions) }
        var changes = remove({ $0.key.sender == sender }, of: replaced(by: offer, of: sender, at: now), .deleted)
        changes += attach(announcer, to: offer.channel.id, at: now)
        sessions.store(AnnouncedSession(announcer))
        changes += list(offer.channel.id, instead: nil)
        judge(offer, of: sender, at: now)
        return changes
    }

    /// - Parameter changes: have been made, whether or not the announcer is taken.
    private mutating func begin(
        _ announcer: Announcer, after changes: [LineUpChange], at now: Monotonic
    ) -> [LineUpChange] {
        do throws(LineUpFault.Reason) {
            return changes + (try begin(announcer, at: now))
        } catch {
            record(error, of: announcer.key.sender, at: now)
            return changes
        }
    }

    /// A further sender of the session: it adds its source.
    private mutating func add(
        _ announcer: Announcer, to session: AnnouncedSession, at now: Monotonic
    ) throws(LineUpFault.Reason) -> [LineUpChange] {
        try checkQuota(of: announcer)
        guard sessions.announcerCount - sessions.count < limits.sessions else {
            throw .overflowing(limit: limits.sessions)
        }
        let changes = attach(announcer, to: session.id, at: now)
        if session.isListed { table.channelListed(of: announcer.streamer) }
        var new = session
        new.append(announcer)
        sessions.store(new)
        judge(announcer.offer, of: announcer.key.sender, at: now)
        return changes + list(session.id, instead: session.channel)
    }

    /// A sender that announces the session says something else of it.
    private mutating func renew(
        _ session: AnnouncedSession, _ index: Int, by announcer: Announcer, at now: Monotonic
    ) -> [LineUpChange] {
        let (old, sender) = (session.announcers[index], announcer.key.sender)
        guard index == 0 || announcer.offer.isRedundant(to: session.first.offer) else {
            let changes = remove({ $0.key == old.key }, of: [session], .deleted)
            // Under an id of its own it is another channel from now on.
            if announcer.offer.channel.id != session.id { return begin(announcer, after: changes, at: now) }
            record(.conflicting(owner: session.first.key.sender), of: sender, at: now)
            return changes
        }
        var renewed = announcer
        (renewed.streamer, renewed.rhythm) = (old.streamer, old.rhythm)
        renewed.rhythm.heard(at: now)
        sessions.renew(old, by: renewed, of: session.id)
        let change = table.announced(renewed.offer, as: renewed.streamer, by: sender, at: now)
        var new = session
        new.replace(index, by: renewed)
        // A sender that now announces something else than the first is removed from the session.
        let first = new.first
        let gone = new.removeAll { $0.key != first.key && !$0.offer.isRedundant(to: first.offer) }
        sessions.store(new)
        let ended = gone.flatMap { detach($0, from: session.id, wasListed: session.isListed) }
        judge(renewed.offer, of: sender, at: now)
        return (change.map { [$0] } ?? []) + list(session.id, instead: session.channel) + ended
    }

    /// Another sender goes on with a session that nobody announces any more.
    private mutating func takeOver(
        _ session: AnnouncedSession, by announcer: Announcer, at now: Monotonic
    ) -> [LineUpChange] {
        var announcer = announcer
        announcer.rhythm = session.first.rhythm
        announcer.rhythm.heard(at: now)
        var changes = attach(announcer, to: session.id, at: now)
        if session.isListed { table.channelListed(of: announcer.streamer) }
        var new = session
        new.takeOver(announcer)
        sessions.store(new)
        for old in session.announcers { changes += detach(old, from: session.id, wasListed: session.isListed) }
        judge(announcer.offer, of: announcer.key.sender, at: now)
        return changes + list(session.id, instead: session.channel)
    }

    private func checkQuota(of announcer: Announcer) throws(LineUpFault.Reason) {
        guard sessions.count(of: announcer.key.sender) < limits.sessionsPerSender else {
            throw .overQuota(limit: limits.sessionsPerSender)
        }
        guard table.owner(of: announcer.streamer) != nil || table.count < limits.streamers else {
            throw .overflowing(limit: limits.streamers)
        }
    }

    /// Whether nobody has announced the session for so long that it is kept only because its media are received. Then
    /// another sender may go on with it: the head-end's address has changed.
    private func isAbandoned(
        _ session: AnnouncedSession, in streamer: Streamer.ID, by sender: NumericAddress, at now: Monotonic
    ) -> Bool {
        guard session.first.offer.streamer == streamer, session.isSilent(at: now, by: settings) else { return false }
        guard table.owner(of: streamer) != sender, let heard = table.lastHeard(streamer) else { return true }
        return now - heard >= session.first.patience(by: settings)
    }

    // MARK: Announcers

    /// Counts an announcer that joins a session. The caller stores the session.
    private mutating func attach(_ announcer: Announcer, to id: Channel.ID, at now: Monotonic) -> [LineUpChange] {
        let change = table.announced(announcer.offer, as: announcer.streamer, by: announcer.key.sender, at: now)
        table.sessionAdded(to: announcer.streamer)
        sessions.attach(announcer, to: id)
        return change.map { [$0] } ?? []
    }

    /// Forgets an announcer that has left a session, which is stored or removed without it.
    private mutating func detach(_ announcer: Announcer, from id: Channel.ID, wasListed: Bool) -> [LineUpChange] {
        sessions.detach(announcer, from: id)
        if wasListed { table.channelRemoved(of: announcer.streamer) }
        return table.sessionRemoved(from: announcer.streamer).map { [$0] } ?? []
    }

    /// The sessions that an SDP offer replaces. VLC announces a new session for each stream that it comes to know and
    /// does not delete the one before. So a session is replaced if the same sender announced it once, a moment ago, by
    /// the same name, and it shares an endpoint with the offer (it may have had the sound alone).
    private func replaced(
        by offer: ChannelOffer, of sender: NumericAddress, at now: Monotonic
    ) -> [AnnouncedSession] {
        guard offer.version == nil else { return [] }
        let endpoints = offer.channel.transport.mediaEndpoints
        return sessions.plain(of: sender, named: offer.channel.name).filter { session in
            guard let index = session.index(of: sender) else { return false }
            let announcer = session.announcers[index]
            return !announcer.offer.channel.transport.mediaEndpoints.isDisjoint(with: endpoints)
                && announcer.rhythm.isNew(at: now)
        }
    }

    // MARK: The list

    /// Lists the session's channel, changes its entry or takes it off the list, as its licence demands.
    /// - Parameter old: the channel before the change; nil for a new session.
    private mutating func list(_ id: Channel.ID, instead old: Channel?) -> [LineUpChange] {
        guard let session = sessions[id] else { return [] }
        let channel = session.channel
        let isLicensed = settings.licenses(channel)
        sessions.setListed(isLicensed, id)
        switch (session.isListed ? old : nil, isLicensed) {
        case (nil, false): return []
        case (nil, true):
            for announcer in session.announcers { table.channelListed(of: announcer.streamer) }
            counters.channelsAdded += 1
            return guide.insert(channel)
        case (let old?, true):
            return old == channel ? [] : guide.replace(channel)
        case (_?, false):
            for announcer in session.announcers { table.channelRemoved(of: announcer.streamer) }
            return delist(id, .revoked)
        }
    }

    private mutating func delist(_ id: Channel.ID, _ removal: LineUpChange.Removal) -> [LineUpChange] {
        counters.count(removal)
        return guide.remove(id).map { [.channelRemoved($0, removal)] } ?? []
    }

    /// Removes announcers of sessions, and the sessions that none is left of. The others go on as the next one has it.
    private mutating func remove(
        _ isGone: (Announcer) -> Bool, of affected: [AnnouncedSession], _ removal: LineUpChange.Removal
    ) -> [LineUpChange] {
        var changes: [LineUpChange] = []
        for var session in affected.sorted(by: { Channel.precedes($0.channel, $1.channel) }) {
            let (old, count) = (session.channel, session.announcers.count)
            let gone = session.removeAll(where: isGone)
            let remains = gone.count < count
            if remains {
                sessions.store(session)
            } else {
                sessions.remove(session.id)
                if session.isListed { changes += delist(session.id, removal) }
            }
            let ended = gone.flatMap { detach($0, from: session.id, wasListed: session.isListed) }
            changes += (remains ? list(session.id, instead: old) : []) + ended
        }
        return changes
    }

    // MARK: Settings

    /// Judges all that is known by the new settings: removes at once what may no longer be listed and adds what now
    /// may.
    public mutating func apply(_ new: LineUpSettings) -> [LineUpChange] {
        settings = new
        let affected = sessions.all.filter { $0.announcers.contains { !new.allows($0.key.sender) } }
        var changes = remove({ !new.allows($0.key.sender) }, of: affected, .revoked)
        changes += refused.settingsChanged(new)
        for session in sessions.all { judgeLicense(of: session) }
        let announced = sessions.all.filter(\.isListed).map(\.channel)
        return changes + guide.arrange(new.channels + announced, playlists: new.playlists, by: new.arrangement)
    }

    /// Counts what new settings do to a session's channel; `apply` then changes the list itself.
    private mutating func judgeLicense(of session: AnnouncedSession) {
        let isLicensed = settings.licenses(session.channel)
        guard isLicensed != session.isListed else { return }
        sessions.setListed(isLicensed, session.id)
        for announcer in session.announcers {
            if isLicensed {
                table.channelListed(of: announcer.streamer)
            } else {
                table.channelRemoved(of: announcer.streamer)
            }
        }
        if isLicensed { counters.channelsAdded += 1 } else { counters.count(.revoked) }
    }
}
