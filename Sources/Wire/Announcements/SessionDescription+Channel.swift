// SPDX-License-Identifier: Apache-2.0
import Venue

extension SessionDescription {
    /// The first medium that carries an MPEG-2 transport stream and where a box hears it; nil when there is none that a
    /// box can play, as when elementary streams are announced or the address is a host name.
    public var programme: (media: Media, transport: Transport)? {
        for candidate in media {
            guard candidate.port != 0, let encapsulation = candidate.encapsulation,
                let connection = candidate.connection ?? connection, let address = NumericAddress(connection.address),
                !address.isUnspecified
            else { continue }
            let isFiltered = candidate.attributes.contains { $0.name == "source-filter" }
            let source = (isFiltered ? candidate.attributes : attributes).lazy
                .compactMap { $0.includedSource(for: address) }.first
            return (
                candidate,
                Transport(
                    address: address.description, port: candidate.port, source: source?.description,
                    encapsulation: encapsulation)
            )
        }
        return nil
    }

    /// What a head-end says of a channel to players that do not read our JSON.
    /// - Parameters:
    ///   - origin: the head-end's own address.
    ///   - version: greater each time that the channel changes.
    ///   - ttl: of IPv4 multicast.
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
        if let source = channel.transport.source {
            attributes.append(Attribute(name: "source-filter", value: " incl IN \(network) * \(source)"))
        }
        var carried = Media(kind: "video", port: channel.transport.port, transportProtocol: "udp", formats: ["mpeg"])
        if case .rtp(let payloadType) = channel.transport.encapsulation {
            carried.transportProtocol = "RTP/AVP"
            carried.formats = [String(payloadType)]
            carried.attributes = [Attribute(name: "rtpmap", value: "\(payloadType) MP2T/90000")]
        }
        carried.connection = Connection(
            address: channel.transport.address,
            ttl: address?.isIPv6 == false && address?.isMulticast == true ? ttl : nil)
        carried.bandwidthKbps = channel.bandwidthKbps > 0 ? channel.bandwidthKbps : nil
        media = [carried]
    }
}

extension SessionDescription.Media {
    /// Nil unless this medium is a transport stream. `m=application` is what ffmpeg says of one, `m=video` VLC.
    fileprivate var encapsulation: Transport.Encapsulation? {
        switch transportProtocol.lowercased() {
        case "udp": formats.contains { ["mpeg", "mp2t", "33"].contains($0.lowercased()) } ? .raw : nil
        case "rtp/avp", "rtp/avpf":
            formats.lazy.compactMap { UInt8($0) }.first { $0 < 128 && isTransportStream(payloadType: $0) }
                .map { .rtp(payloadType: $0) }
        default: nil
        }
    }

    /// By its `a=rtpmap`; without one, 33 is static (RFC 3551).
    private func isTransportStream(payloadType: UInt8) -> Bool {
        for attribute in attributes where attribute.name == "rtpmap" {
            let fields = (attribute.value ?? "").split(separator: " ")
            guard fields.count == 2, UInt8(fields[0]) == payloadType else { continue }
            return fields[1].lowercased() == "mp2t/90000"
        }
        return payloadType == 33
    }
}

extension SessionDescription.Attribute {
    /// The first source of `a=source-filter: incl IN IP4 <destination or *> <source>…` (RFC 4570) that fits.
    fileprivate func includedSource(for destination: NumericAddress) -> NumericAddress? {
        guard name == "source-filter", let value else { return nil }
        let fields = value.split(separator: " ")
        guard fields.count >= 5, fields[0] == "incl", fields[1] == "IN",
            fields[3] == "*" || NumericAddress(String(fields[3])) == destination
        else { return nil }
        return fields[4...].lazy.compactMap { NumericAddress(String($0)) }
            .first { $0.isIPv6 == destination.isIPv6 && $0.isUnicast }
    }
}
