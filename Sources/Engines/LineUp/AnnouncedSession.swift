// SPDX-License-Identifier: Apache-2.0
import Announcements
import Time
import Venue

/// A session that is heard, whether its channel is listed or not.
struct AnnouncedSession {
    /// What SAP calls it. The sender is part of it: nobody else can repeat or delete the session.
    struct Key: Hashable {
        var sender: IPAddress
        var origin: IPAddress
        var identifierHash: UInt16
    }

    var key: Key
    var offer: ChannelOffer
    /// What was read last: while it comes again unchanged nothing is parsed.
    var payloadType: SAPPayloadType
    var payload: [UInt8]
    var isListed: Bool
    var rhythm: AnnouncementRhythm

    var deadline: Monotonic { rhythm.deadline(announced: offer.interval) }

    func repeats(_ type: SAPPayloadType, _ other: UnsafeRawBufferPointer) -> Bool {
        payloadType == type && payload.count == other.count && payload.elementsEqual(other)
    }
}
