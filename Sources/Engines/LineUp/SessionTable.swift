// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// The announced sessions that are remembered. Each is found without a search: by its channel, by its identity in SAP,
/// and by what a further session of the same sender can replace.
struct SessionTable {
    /// Sender and name of sessions that SDP describes.
    private struct PlainName: Hashable {
        var sender: NumericAddress
        var name: String
    }

    private var sessions: [Channel.ID: AnnouncedSession] = [:]
    private var identities: [AnnouncedSession.Key: Channel.ID] = [:]
    /// A sender without any session is not in here.
    private var counts: [NumericAddress: Int] = [:]
    private var plain: [PlainName: Set<Channel.ID>] = [:]

    var count: Int { sessions.count }
    var all: some Collection<AnnouncedSession> { sessions.values }

    subscript(id: Channel.ID) -> AnnouncedSession? { sessions[id] }

    func id(of key: AnnouncedSession.Key) -> Channel.ID? { identities[key] }

    func count(of sender: NumericAddress) -> Int { counts[sender] ?? 0 }

    /// Sessions that SDP describes, of this sender and name.
    func plain(of sender: NumericAddress, named name: String) -> [AnnouncedSession] {
        (plain[PlainName(sender: sender, name: name)] ?? []).compactMap { sessions[$0] }
    }

    /// Adds a session, or replaces the one of the same channel.
    mutating func store(_ session: AnnouncedSession) {
        let id = session.offer.channel.id
        if let old = sessions[id] { forget(old) }
        sessions[id] = session
        identities[session.key] = id
        counts[session.key.sender, default: 0] += 1
        if let name = Self.plainName(of: session) { plain[name, default: []].insert(id) }
    }

    mutating func remove(_ session: AnnouncedSession) {
        guard let stored = sessions.removeValue(forKey: session.offer.channel.id) else { return }
        forget(stored)
    }

    mutating func heard(_ id: Channel.ID, at now: Monotonic) { sessions[id]?.rhythm.heard(at: now) }

    mutating func setListed(_ id: Channel.ID, _ isListed: Bool) { sessions[id]?.isListed = isListed }

    private mutating func forget(_ session: AnnouncedSession) {
        let (id, sender) = (session.offer.channel.id, session.key.sender)
        if identities[session.key] == id { identities[session.key] = nil }
        let left = count(of: sender) - 1
        counts[sender] = left > 0 ? left : nil
        guard let name = Self.plainName(of: session) else { return }
        plain[name]?.remove(id)
        if plain[name]?.isEmpty == true { plain[name] = nil }
    }

    private static func plainName(of session: AnnouncedSession) -> PlainName? {
        guard session.offer.version == nil else { return nil }
        return PlainName(sender: session.key.sender, name: session.offer.channel.name)
    }
}
