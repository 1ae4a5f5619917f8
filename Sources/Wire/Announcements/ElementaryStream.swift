// SPDX-License-Identifier: Apache-2.0

/// An elementary stream in an RTP session of its own: H.264 (RFC 6184), MPEG-4 AAC (RFC 3640, 6416) and others.
public struct ElementaryStream: Equatable, Sendable {
    /// `video`, `audio`…
    public var kind: String
    public var endpoint: MediaEndpoint
    public var format: RTPFormat
    /// Port of RTCP, whose sender reports synchronise two streams: by `a=rtcp-mux` (RFC 5761), `a=rtcp` (RFC 3605),
    /// else the next port. Nil if there is none.
    public var controlPort: UInt16?
    /// In kbit/s; nil if not stated.
    public var bandwidthKbps: Int?
    /// `a=mid` (RFC 5888), by which the session's groups refer to it; nil if absent.
    public var identification: String?
}

extension SessionDescription {
    /// The RTP media that are neither transport streams nor repair flows, in the order of the description. Each has the
    /// first of its formats that is known.
    public var elementaryStreams: [ElementaryStream] {
        media.compactMap { media in
            guard media.repairFlow == nil, let endpoint = endpoint(of: media),
                let format = media.rtpFormats.first(where: { !$0.isRepair && !$0.isEncoded(as: "MP2T") })
            else { return nil }
            return ElementaryStream(
                kind: media.kind, endpoint: endpoint, format: format, controlPort: media.controlPort,
                bandwidthKbps: media.bandwidthKbps, identification: media.identification)
        }
    }
}

extension SessionDescription.Media {
    /// `a=mid` (RFC 5888); nil if absent.
    public var identification: String? { value(ofAttribute: "mid") }

    public func value(ofAttribute name: String) -> String? { attributes.first { $0.name == name }?.value }

    fileprivate var controlPort: UInt16? {
        if attributes.contains(where: { $0.name == "rtcp-mux" }) { return port }
        if let said = value(ofAttribute: "rtcp")?.split(separator: " ").first { return UInt16(said) }
        return port < .max ? port + 1 : nil
    }
}
