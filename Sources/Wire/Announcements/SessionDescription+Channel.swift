// SPDX-License-Identifier: Apache-2.0
import Venue

extension SessionDescription {
    /// The first medium that carries an MPEG-2 transport stream, and its transport. Nil if there is none that a box can
    /// play, for example when elementary streams are announced or the address is a host name.
    public var programme: (media: Media, transport: Transport)? {
        for candidate in media {
            guard let encapsulation = candidate.encapsulation, let endpoint = endpoint(of: candidate) else { continue }
            var transport = endpoint.transport(encapsulation)
            transport.repair = try? repair(of: candidate, transport).get()  // the channel is playable without repair
            transport.secondPath = secondPath(of: candidate, transport)
            return (candidate, transport)
        }
        return nil
    }

    /// Describes a channel of a transport stream for players that do not read the JSON announcement.
    /// - Parameters:
    ///   - origin: the head-end's address.
    ///   - version: increases each time that the channel changes.
    ///   - ttl: TTL of IPv4 multicast.
    public init(announcing channel: Channel, origin: NumericAddress, version: UInt64, ttl: UInt8) {
        self.init(
            origin: Origin(
                userName: "-", sessionID: String(max(channel.sessionNumber, 0)), sessionVersion: String(version),
                address: origin.description),
            name: channel.name, information: channel.channelText.isEmpty ? nil : channel.channelText)
        attributes = [
            Attribute(name: "tool", value: "touchline"), Attribute(name: "type", value: "broadcast"),
            Attribute(name: "recvonly"), Attribute(name: "charset", value: "UTF-8"),
            Attribute(name: Self.twinAttribute, value: channel.id.text),
        ]
        let address = NumericAddress(channel.transport.address)
        let network = address?.isIPv6 == true ? "IP6" : "IP4"
        var carried = Media(kind: "video", port: channel.transport.port, transportProtocol: "udp", formats: ["mpeg"])
        if case .rtp(let payloadType) = channel.transport.encapsulation {
            carried.transportProtocol = "RTP/AVP"
            carried.formats = [String(payloadType)]
            carried.attributes = [Attribute(name: "rtpmap", value: "\(payloadType) MP2T/90000")]
        }
        carried.connection = Connection(to: channel.transport.address, ttl: ttl)
        carried.bandwidthKbps = channel.bandwidthKbps > 0 ? channel.bandwidthKbps : nil
        let sources = [channel.transport.source].compactMap { $0 } + channel.transport.furtherSources
        let filter = Attribute(including: sources, of: network)
        media = [carried]
        guard channel.transport.repair != nil || channel.transport.secondPath != nil else {
            attributes += filter.map { [$0] } ?? []
            return
        }
        // A filter at session level would apply to the repair flows as well.
        media[0].attributes += filter.map { [$0] } ?? []
        describe(channel.transport, ttl: ttl)
    }
}

extension SessionDescription.Media {
    /// The encapsulation of a transport stream; nil if the medium is not one. ffmpeg announces it with `m=application`,
    /// VLC with `m=video`; encoders and video servers name the profile `MP2T/H2221/UDP` or `RAW/RAW/UDP`.
    fileprivate var encapsulation: Transport.Encapsulation? {
        guard repairFlow == nil else { return nil }
        switch transportProtocol.lowercased() {
        case "mp2t/h2221/udp": return .raw
        case "udp", "raw/raw/udp":
            return formats.contains { ["mpeg", "mp2t", "33"].contains($0.lowercased()) } ? .raw : nil
        default: break
        }
        return rtpFormats.first { $0.isEncoded(as: "MP2T") && $0.clockRate == 90_000 }
            .map { .rtp(payloadType: $0.payloadType) }
    }
}
