// SPDX-License-Identifier: Apache-2.0
import Announcements
import Time
import Venue

/// A session that is heard, whether its channel is listed or not.
struct AnnouncedSession {
    /// What SAP calls it. The sender is part of it: nobody else can repeat or delete the session.
    struct Key: Hashable {
        var sender: NumericAddress
        var origin: NumericAddress
        var identifierHash: UInt16
    }

    var key: Key
    var offer: ChannelOffer
    /// What was read last, as it came: while it comes again unchanged nothing is inflated or parsed.
    var form: SAPPacket.Form
    var payload: [UInt8]
    var isListed: Bool
    var rhythm: AnnouncementRhythm

    func isSilent(at now: Monotonic, by settings: LineUpSettings) -> Bool {
        now - rhythm.lastHeard >= settings.patience(rhythm.interval(announced: offer.interval))
    }

    func repeats(_ form: SAPPacket.Form, _ other: UnsafeRawBufferPointer) -> Bool {
        self.form == form && payload.count == other.count && payload.elementsEqual(other)
    }
}
