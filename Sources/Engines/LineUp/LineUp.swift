// SPDX-License-Identifier: Apache-2.0
import Announcements
import Bytes
import Compression
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
        budget.prune(at: now)
        twins.prune(at: now)
        let silent = sessions.all.filter {
            $0.isSilent(at: now, received: received[$0.offer.channel.id], by: settings)
        }
        faults = faults.filter { now - $0.value.time < LineUpFault.memory }
        return remove(silent, .pruned) + refused.prune(at: now, by: settings)
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
        let key = AnnouncedSession.Key(sender: sender, origin: packet.origin, identifierHash: packet.identifierHash)
        guard packet.kind == .announcement else {
            // Deleting an unknown session is no fault: senders may repeat the deletion.
            guard let session = sessions.id(of: key).flatMap({ sessions[$0] }) else { return [] }
            return remove([session], .deleted)
        }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[packet.payload])
        if let id = sessions.id(of: key), sessions[id]?.repeats(packet.form, payload) == true {
            heardAgain(id, from: sender, at: now)
            return []
        }
        if twins.repeats(key, packet.form, payload, at: now) {
            counters.announcementsTwin += 1
            return []
        }
        if packet.form == .encrypted { throw .encrypted }
        try budget.take(of: sender, isKnown: sessions.count(of: sender) > 0, at: now)
        guard let offer = try Self.offer(packet.form, payload, key: key) else {
            twins.store(key, packet.form, payload, at: now)
            counters.announcementsTwin += 1
            return []
        }
        return try accept(offer, packet.form, payload, key: key, at: now)
    }

    private static func offer(
        _ form: SAPPacket.Form, _ payload: UnsafeRawBufferPointer, key: AnnouncedSession.Key
    ) throws(LineUpFault.Reason) -> ChannelOffer? {
        switch form {
        case .plain(let type): return try offer(type, payload, key: key)
        case .compressed:
            let inflated: [UInt8]
            do throws(InflationError) {
                inflated = try Inflation.zlib(payload, limit: SAPPacket.mostInflatedOctets)
            } catch {
                throw .incompressible(error)
            }
            return try inflated.withOctets { (octets) throws(LineUpFault.Reason) -> ChannelOffer? in
                let body: (type: SAPPayloadType, payload: Range<Int>)
                do throws(WireError) {
                    body = try SAPPacket.body(inflated: octets)
                } catch {
                    throw .malformed(error)
                }
                return try offer(body.type, UnsafeRawBufferPointer(rebasing: octets[body.payload]), key: key)
            }
        case .encrypted: throw .encrypted
        }
    }

    /// - Returns: nil for the SDP twin of a session that is announced in JSON too.
    private static func offer(
        _ type: SAPPayloadType, _ payload: UnsafeRawBufferPointer, key: AnnouncedSession.Key
    ) throws(LineUpFault.Reason) -> ChannelOffer? {
        switch type {
        case .announcement:
            do throws(AnnouncementError) {
                return ChannelOffer(try Announcement(decoding: payload))
            } catch {
                if case .versionMismatch(let version) = error { throw .versionMismatch(version) }
                throw .invalidJSON(error)
            }
        case .sessionDescription:
            let session: SessionDescription
            do throws(WireError) {
                session = try SessionDescription(parsing: payload)
            } catch {
                throw .malformed(error)
            }
            guard session.value(ofAttribute: SessionDescription.twinAttribute) == nil else { return nil }
            guard let offer = ChannelOffer(session, key: key) else {
                throw .unplayable(session.codings)
            }
            return offer
        case .other(let mimeType): throw .unknownType(mimeType)
        }
    }

    private mutating func heardAgain(_ id: Channel.ID, from sender: NumericAddress, at now: Monotonic) {
        guard let offer = sessions[id]?.offer else { return }
        sessions.heard(id, at: now)
        table.heard(offer.streamer, at: now)
        judge(offer, of: sender, at: now)
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
        _ offer: ChannelOffer, _ form: SAPPacket.Form, _ payload: UnsafeRawBufferPointer, key: AnnouncedSession.Key,
        at now: Monotonic
    ) throws(LineUpFault.Reason) -> [LineUpChange] {
        let id = offer.channel.id
        let old = sessions[id]
        if let owner = old?.key.sender ?? table.owner(of: offer.streamer), owner != key.sender {
            guard let old, isAbandoned(old, in: offer.streamer, by: key.sender, at: now) else {
                throw .conflicting(owner: owner)
            }
        }
        guard old != nil || sessions.count(of: key.sender) < limits.sessionsPerSender else {
            throw .overQuota(limit: limits.sessionsPerSender)
        }
        guard old != nil || sessions.count < limits.sessions else { throw .overflowing(limit: limits.sessions) }
        guard table.owner(of: offer.streamer) != nil || table.count < limits.streamers else {
            throw .overflowing(limit: limits.streamers)
        }

        var changes = old == nil ? remove(replaced(by: offer, of: key.sender, at: now), .deleted) : []
        if let change = table.announced(offer, by: key.sender, at: now) { changes.append(change) }
        var session = AnnouncedSession(
            key: key, offer: offer, form: form, payload: Array(payload), isListed: old?.isListed ?? false,
            rhythm: old?.rhythm ?? AnnouncementRhythm(firstHeard: now))
        session.rhythm.heard(at: now)
        if old == nil { table.sessionAdded(to: offer.streamer) }
        sessions.store(session)
        changes += list(id, instead: old?.offer.channel)
        judge(offer, of: key.sender, at: now)
        return changes
    }

    /// Whether nobody has announced the session for so long that it is kept only because its media are received. Then
    /// another sender may go on with it: the head-end's address has changed.
    private func isAbandoned(
        _ session: AnnouncedSession, in streamer: Streamer.ID, by sender: NumericAddress, at now: Monotonic
    ) -> Bool {
        guard session.offer.streamer == streamer, session.isSilent(at: now, received: nil, by: settings) else {
            return false
        }
        guard table.owner(of: streamer) != sender, let heard = table.lastHeard(streamer) else { return true }
        return now - heard >= session.patience(by: settings)
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
            !session.offer.channel.transport.mediaEndpoints.isDisjoint(with: endpoints)
                && session.rhythm.isNew(at: now)
        }
    }

    // MARK: The list

    /// Lists the session's channel, changes its entry or takes it off the list, as its licence demands.
    /// - Parameter old: the channel before the change; nil for a new session.
    private mutating func list(_ id: Channel.ID, instead old: Channel?) -> [LineUpChange] {
        guard let session = sessions[id] else { return [] }
        let channel = session.offer.channel
        let isLicensed = settings.licenses(channel)
        sessions.setListed(id, isLicensed)
        switch (session.isListed ? old : nil, isLicensed) {
        case (nil, false): return []
        case (nil, true):
            table.channelListed(of: session.offer.streamer)
            counters.channelsAdded += 1
            return guide.insert(channel)
        case (let old?, true):
            return old == channel ? [] : guide.replace(channel)
        case (let old?, false):
            return delist(old, .revoked, of: session.offer.streamer)
        }
    }

    private mutating func delist(
        _ channel: Channel, _ removal: LineUpChange.Removal, of streamer: Streamer.ID
    ) -> [LineUpChange] {
        table.channelRemoved(of: streamer)
        counters.count(removal)
        return guide.remove(channel.id).map { [.channelRemoved($0, removal)] } ?? []
    }

    private mutating func remove(_ gone: [AnnouncedSession], _ removal: LineUpChange.Removal) -> [LineUpChange] {
        var changes: [LineUpChange] = []
        for session in gone.sorted(by: { Channel.precedes($0.offer.channel, $1.offer.channel) }) {
            sessions.remove(session)
            if session.isListed { changes += delist(session.offer.channel, removal, of: session.offer.streamer) }
            if let change = table.sessionRemoved(from: session.offer.streamer) { changes.append(change) }
        }
        return changes
    }

    // MARK: Settings

    /// Judges all that is known by the new settings: removes at once what may no longer be listed and adds what now
    /// may.
    public mutating func apply(_ new: LineUpSettings) -> [LineUpChange] {
        settings = new
        var changes = remove(sessions.all.filter { !new.allows($0.key.sender) }, .revoked)
        changes += refused.settingsChanged(new)
        for session in sessions.all { judgeLicense(of: session) }
        let announced = sessions.all.filter(\.isListed).map(\.offer.channel)
        return changes + guide.arrange(new.channels + announced, playlists: new.playlists, by: new.arrangement)
    }

    /// Counts what new settings do to a session's channel; `apply` then changes the list itself.
    private mutating func judgeLicense(of session: AnnouncedSession) {
        let isLicensed = settings.licenses(session.offer.channel)
        guard isLicensed != session.isListed else { return }
        sessions.setListed(session.offer.channel.id, isLicensed)
        if isLicensed {
            table.channelListed(of: session.offer.streamer)
            counters.channelsAdded += 1
        } else {
            table.channelRemoved(of: session.offer.streamer)
            counters.count(.revoked)
        }
    }
}
