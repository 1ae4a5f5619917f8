// SPDX-License-Identifier: Apache-2.0

/// Where and how a channel is heard.
public struct Transport: Hashable, Sendable {
    public enum Encapsulation: Hashable, Sendable {
        /// MPEG-2 TS in RTP (RFC 2250) with this payload type, 0...127.
        case rtp(payloadType: UInt8)
        /// Bare TS packets in UDP.
        case raw
        /// Pictures, sound or both, each in an RTP session of its own; address, port and source of the transport are those
        /// of the first. Never empty.
        case elementary([ElementaryMedium])
    }

    /// Multicast group or own unicast address, numeric.
    public var address: String
    public var port: UInt16
    /// Source-specific join (SSM) when there.
    public var source: String?
    /// Of a group that is joined from any source: who is not heard. Numeric, at most 10.
    public var excludedSources: [String]
    public var encapsulation: Encapsulation
    /// Sources that send the same, to be heard one after the other when those before fall silent; with a `source` only.
    public var furtherSources: [String] = []
    public var repair: Repair?
    public var secondPath: SecondPath?

    /// Where its media are heard, without what repairs them.
    public var mediaEndpoints: Set<FlowEndpoint> {
        guard case .elementary(let media) = encapsulation else { return [FlowEndpoint(address: address, port: port)] }
        return Set(media.map { FlowEndpoint(address: $0.address, port: $0.port) })
    }

    public init(
        address: String, port: UInt16, source: String? = nil, excludedSources: [String] = [],
        encapsulation: Encapsulation
    ) {
        self.address = address
        self.port = port
        self.source = source
        self.excludedSources = excludedSources
        self.encapsulation = encapsulation
    }

    /// Nil without media.
    public init?(_ media: [ElementaryMedium]) {
        guard let first = media.first else { return nil }
        self.init(
            address: first.address, port: first.port, source: first.source,
            excludedSources: first.excludedSources, encapsulation: .elementary(media))
    }
}
