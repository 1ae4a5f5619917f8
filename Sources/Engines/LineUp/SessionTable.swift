// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// The announced sessions, and the ways to find one: by id, by announcement, and by what makes it the same channel as
/// another sender's.
struct SessionTable {
    /// Sender and name of what SDP describes.
    private struct PlainName: Hashable {
        var sender: NumericAddress
        var name: String
    }

    private var sessions: [Channel.ID: AnnouncedSession] = [:]
    private var identities: [Announcer.Key: Channel.ID] = [:]
    /// Sessions by the ids under which redundant senders announce them, where these are not their own.
    private var aliases: [Channel.ID: Channel.ID] = [:]
    /// The session at each place. Where several have the same place, it is the one that was stored first.
    private var places: [AnnouncedSession.Place: Channel.ID] = [:]
    private var plain: [PlainName: Set<Channel.ID>] = [:]
    /// Sessions that each sender announces; a sender without any is not in here.
    private var counts: [NumericAddress: Int] = [:]
    /// The announcers of all sessions.
    private(set) var announcerCount = 0

    var count: Int { sessions.count }
    var all: Dictionary<Channel.ID, AnnouncedSession>.Values { sessions.values }

    subscript(id: Channel.ID) -> AnnouncedSession? { sessions[id] }

    /// The session of an announcement that was heard before, and its announcer's index.
    func session(announcedBy key: Announcer.Key) -> (session: AnnouncedSession, index: Int)? {
        guard let session = identities[key].flatMap({ sessions[$0] }), let index = session.index(of: key) else {
            return nil
        }
        return (session, index)
    }

    /// The session that is offered: by its id, or as the same channel of another sender; nil if it is a new one.
    func session(of offer: ChannelOffer, from sender: NumericAddress) -> AnnouncedSession? {
        let announced = offer.channel.id
        if let known = sessions[announced] ?? aliases[announced].flatMap({ sessions[$0] }) { return known }
        guard let session = places[AnnouncedSession.Place(offer.channel)].flatMap({ sessions[$0] }),
            session.index(of: sender) == nil, session.admits(offer)
        else { return nil }
        return session
    }

    /// Number of sessions that the sender announces.
    func count(of sender: NumericAddress) -> Int { counts[sender, default: 0] }

    /// Sessions that this sender describes by SDP, under this name.
    func plain(of sender: NumericAddress, named name: String) -> [AnnouncedSession] {
        (plain[PlainName(sender: sender, name: name)] ?? []).compactMap { sessions[$0] }
    }

    mutating func store(_ session: AnnouncedSession) {
        forgetPlace(of: session.id)
        sessions[session.id] = session
        let place = AnnouncedSession.Place(session.first.offer.channel)
        if places[place] == nil { places[place] = session.id }
    }

    mutating func remove(_ id: Channel.ID) {
        forgetPlace(of: id)
        sessions[id] = nil
    }

    mutating func setListed(_ isListed: Bool, _ id: Channel.ID) { sessions[id]?.isListed = isListed }

    mutating func heard(_ id: Channel.ID, _ index: Int, at now: Monotonic) { sessions[id]?.heard(index, at: now) }

    /// Counts an announcer that joins a session.
    mutating func attach(_ announcer: Announcer, to id: Channel.ID) {
        counts[announcer.key.sender, default: 0] += 1
        announcerCount += 1
        identities[announcer.key] = id
        if announcer.offer.channel.id != id { aliases[announcer.offer.channel.id] = id }
        if let name = Self.plainName(of: announcer) { plain[name, default: []].insert(id) }
    }

    /// An announcer says something else of its session.
    mutating func renew(_ old: Announcer, by new: Announcer, of id: Channel.ID) {
        if identities[old.key] == id { identities[old.key] = nil }
        identities[new.key] = id
        forgetName(of: old, id)
        if let name = Self.plainName(of: new) { plain[name, default: []].insert(id) }
    }

    /// Forgets an announcer that has left a session, which is stored or removed without it.
    mutating func detach(_ announcer: Announcer, from id: Channel.ID) {
        let (key, announced) = (announcer.key, announcer.offer.channel.id)
        if sessions[id]?.index(of: key) == nil { identities[key] = nil }
        if sessions[id]?.announcers.contains(where: { $0.offer.channel.id == announced }) != true {
            aliases[announced] = nil
        }
        forgetName(of: announcer, id)
        let left = counts[key.sender, default: 1] - 1
        counts[key.sender] = left > 0 ? left : nil
        announcerCount -= 1
    }

    private mutating func forgetPlace(of id: Channel.ID) {
        guard let channel = sessions[id]?.first.offer.channel else { return }
        let place = AnnouncedSession.Place(channel)
        if places[place] == id { places[place] = nil }
    }

    private mutating func forgetName(of announcer: Announcer, _ id: Channel.ID) {
        guard let name = Self.plainName(of: announcer) else { return }
        plain[name]?.remove(id)
        if plain[name]?.isEmpty == true { plain[name] = nil }
    }

    private static func plainName(of announcer: Announcer) -> PlainName? {
        guard announcer.offer.version == nil else { return nil }
        return PlainName(sender: announcer.key.sender, name: announcer.offer.channel.name)
    }
}
