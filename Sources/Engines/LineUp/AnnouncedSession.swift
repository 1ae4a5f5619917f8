// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// An announced session that is still remembered, whether or not its channel is listed.
///
/// Several head-ends may announce the same session. The one that was heard first describes the channel. The others only
/// add their sources. When the first falls silent, the next one describes the channel.
struct AnnouncedSession {
    /// A source-specific group can be joined from 10 sources (`net.ipv4.igmp_max_msf`).
    static let mostAnnouncers = 10

    /// What a viewer takes for the same channel: announced by several senders it is one session.
    struct Place: Hashable {
        var kind: Channel.Kind
        var name: String
        var license: FieldOfUse?
        var address: String
        var port: UInt16

        init(_ channel: Channel) {
            (kind, name, license) = (channel.kind, channel.name, channel.fieldOfUse)
            (address, port) = (channel.transport.address, channel.transport.port)
        }
    }

    /// Id, number and streamer that were announced first. They stay, whoever announces the session later, and with them
    /// the logical number.
    let id: Channel.ID
    private let number: Int64
    private let streamer: Streamer.ID?
    /// Never empty. The first describes the channel.
    private(set) var announcers: [Announcer]
    var isListed = false

    init(_ first: Announcer) {
        id = first.offer.channel.id
        number = first.offer.channel.sessionNumber
        streamer = first.offer.channel.streamer
        announcers = [first]
    }

    var first: Announcer { announcers[0] }

    /// The channel with the sources of all announcers.
    var channel: Channel {
        var channel = first.offer.channel
        (channel.id, channel.sessionNumber, channel.streamer) = (id, number, streamer)
        var known = channel.transport.sources
        guard announcers.count > 1, !known.isEmpty else { return channel }
        for source in announcers.dropFirst().flatMap(\.offer.channel.transport.sources)
        where !known.contains(source) && known.count < Self.mostAnnouncers {
            known.append(source)
        }
        channel.transport.furtherSources = Array(known.dropFirst())
        return channel
    }

    func index(of sender: NumericAddress) -> Int? { announcers.firstIndex { $0.key.sender == sender } }

    func index(of key: Announcer.Key) -> Int? { announcers.firstIndex { $0.key == key } }

    /// Whether the offer of a further sender is this session.
    func admits(_ offer: ChannelOffer) -> Bool {
        announcers.count < Self.mostAnnouncers && offer.isRedundant(to: first.offer)
    }

    mutating func heard(_ index: Int, at now: Monotonic) { announcers[index].rhythm.heard(at: now) }

    mutating func append(_ announcer: Announcer) { announcers.append(announcer) }

    mutating func replace(_ index: Int, by announcer: Announcer) { announcers[index] = announcer }

    mutating func takeOver(_ announcer: Announcer) { announcers = [announcer] }

    /// - Returns: those that are left out; all stay if there would be none.
    mutating func removeAll(where isGone: (Announcer) -> Bool) -> [Announcer] {
        let gone = announcers.filter(isGone)
        if gone.count < announcers.count { announcers.removeAll(where: isGone) }
        return gone
    }

    /// Whether nobody has announced it for too long, and it was not received either.
    /// - Parameter received: arrival of the newest datagram of the channel; nil if it is not received.
    func isSilent(at now: Monotonic, received: Monotonic? = nil, by settings: LineUpSettings) -> Bool {
        announcers.allSatisfy { $0.isSilent(at: now, received: received, by: settings) }
    }
}
