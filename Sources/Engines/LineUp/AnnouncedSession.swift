// SPDX-License-Identifier: Apache-2.0
import Announcements
import Time
import Venue

/// An announced session that is still remembered, whether or not its channel is listed.
struct AnnouncedSession {
    /// The identity of the session in SAP (RFC 2974). The sender is part of it, so that nobody else can repeat or
    /// delete it.
    struct Key: Hashable {
        var sender: NumericAddress
        var origin: NumericAddress
        var identifierHash: UInt16
    }

    var key: Key
    var offer: ChannelOffer
    /// The SAP form and (`payload`) the body of the last announcement, as received: while the same comes again, nothing
    /// is inflated or parsed.
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
