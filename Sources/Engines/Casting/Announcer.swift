// SPDX-License-Identifier: Apache-2.0
import Announcements
import Time
import Venue

/// Decides which SAP datagrams are due when: each channel's announcement in JSON, and its SDP for players that do not
/// read JSON announcements. Each of the two is a SAP session of its own.
public struct Announcer: Sendable {
    private struct Entry: Sendable {
        var interval: Nanoseconds
        var due: Monotonic
        var announcements: [[UInt8]]
        var deletions: [[UInt8]]
    }

    private var entries: [Entry]

    /// - Parameters:
    ///   - sessions: each channel's announcement, and the channel that its SDP describes; nil to send no SDP.
    ///   - origin: the head-end's own address.
    ///   - version: version of the SDP sessions; greater with each start of the head-end.
    ///   - hops: TTL of the channels' multicast.
    ///   - start: when the first announcement is due; the others follow at distances of at most 20 ms.
    public init(
        _ sessions: [(announcement: Announcement, described: Channel?)], origin: NumericAddress, version: UInt64,
        hops: UInt8, start: Monotonic
    ) {
        entries = sessions.enumerated().map { index, session in
            let announcement = session.announcement
            var bodies: [(SAPPayloadType, [UInt8])] = [(.announcement, announcement.encoded)]
            if let channel = session.described {
                let description = SessionDescription(announcing: channel, origin: origin, version: version, ttl: hops)
                bodies.append((.sessionDescription, Array(description.text.utf8)))
            }
            func packets(_ kind: SAPPacket.Kind) -> [[UInt8]] {
                bodies.map { SAPPacket.encoded(kind, origin: origin, payloadType: $0.0, payload: $0.1) }
            }
            let apart = min(20_000_000, announcement.interval.count / Int64(sessions.count))
            return Entry(
                interval: announcement.interval, due: start + Nanoseconds(apart * Int64(index)),
                announcements: packets(.announcement), deletions: packets(.deletion))
        }
    }

    /// nil when there is nothing to announce.
    var nextDue: Monotonic? { entries.lazy.map(\.due).min() }

    /// The datagrams that are due. Each is due again an interval after it was due, however late this call is.
    public mutating func due(at now: Monotonic) -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        for index in entries.indices where entries[index].due <= now {
            datagrams += entries[index].announcements
            let late = (now - entries[index].due).count / entries[index].interval.count
            entries[index].due += entries[index].interval * (late + 1)
        }
        return datagrams
    }

    /// The SAP deletions of all sessions.
    public var deletions: [[UInt8]] { entries.flatMap(\.deletions) }
}
