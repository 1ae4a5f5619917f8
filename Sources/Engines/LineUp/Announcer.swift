// SPDX-License-Identifier: Apache-2.0
import Announcements
import Time
import Venue

/// A sender of a session's announcements, and what it said last.
struct Announcer {
    /// The identity of an announcement in SAP (RFC 2974). The sender is part of it, so that nobody else can repeat or
    /// delete it.
    struct Key: Hashable {
        var sender: NumericAddress
        var origin: NumericAddress
        var identifierHash: UInt16
    }

    var key: Key
    var offer: ChannelOffer
    /// The head-end's entry in the `StreamerTable`.
    var streamer: Streamer.ID
    /// The SAP form and (`payload`) the body of the last announcement, as received: while the same comes again, nothing
    /// is inflated or parsed.
    var form: SAPPacket.Form
    var payload: [UInt8]
    var rhythm: AnnouncementRhythm

    /// How long it may be silent.
    func patience(by settings: LineUpSettings) -> Nanoseconds {
        settings.patience(rhythm.interval(announced: offer.interval))
    }

    /// - Parameter received: arrival of the newest datagram of the channel; nil if it is not received.
    func isSilent(at now: Monotonic, received: Monotonic? = nil, by settings: LineUpSettings) -> Bool {
        let heard = max(rhythm.lastHeard, received ?? rhythm.lastHeard)
        return now - heard >= patience(by: settings)
    }

    func repeats(_ form: SAPPacket.Form, _ other: UnsafeRawBufferPointer) -> Bool {
        self.form == form && payload.count == other.count && payload.elementsEqual(other)
    }
}
