// SPDX-License-Identifier: Apache-2.0
import Announcements
import Time
import Venue

/// The content of an announcement, whether JSON or SDP.
struct ChannelOffer: Equatable {
    var channel: Channel
    var streamer: Streamer.ID
    var streamerName: String
    /// Version of the announcement format; nil for SDP.
    var version: Int?
    /// Announced interval; nil when none is announced, as in SDP.
    var interval: Nanoseconds?
    /// Why the announced repair cannot be used and is left out; nil when it can be used, or none is announced.
    var unusableRepair: UnusableRepair?

    init(_ announcement: Announcement) {
        channel = announcement.channel
        streamer = announcement.streamer
        streamerName = announcement.streamerName.isEmpty ? announcement.streamer.text : announcement.streamerName
        version = Int(Announcement.version)
        interval = announcement.interval
        unusableRepair = announcement.unusableRepair
    }

    /// nil when the session has nothing that a box plays.
    init?(_ session: SessionDescription, key: Announcer.Key) {
        let transport: Transport
        let bandwidthKbps: Int
        if let programme = session.programme {
            transport = programme.transport
            bandwidthKbps = programme.media.bandwidthKbps ?? session.bandwidthKbps ?? 0
            unusableRepair = session.unusableRepair
        } else {
            guard let elementary = session.elementary else { return nil }
            transport = elementary.transport
            bandwidthKbps = session.bandwidthKbps ?? elementary.bandwidthKbps
        }
        streamer = Streamer.ID("sap:\(key.sender)")
        streamerName = key.sender.description
        let origin = session.origin
        let id =
            origin.sessionID == "0"  // ffmpeg uses 0 for every session
            ? "sap:\(key.origin)/\(key.identifierHash)"
            : "sdp:\(origin.userName)/\(origin.sessionID)@\(origin.address)"
        let information = session.information ?? ""
        channel = Channel(
            id: Channel.ID(id), name: Self.name(of: session, transport),
            channelText: information == "N/A" ? "" : information,  // VLC's placeholder for none
            sessionNumber: max(Int64(origin.sessionID) ?? 0, 0), sessionTitle: session.name,
            bandwidthKbps: bandwidthKbps, transport: transport, streamer: streamer)
    }

    /// A session without a name is called " " or "-" (RFC 8866 §5.3); its address and port stand for its name.
    private static func name(of session: SessionDescription, _ transport: Transport) -> String {
        let isBlank = session.name.allSatisfy { $0 == " " || $0 == "-" }
        return isBlank ? "\(transport.address) \(transport.port)" : String(session.name.unicodeScalars.prefix(128))
    }
}
