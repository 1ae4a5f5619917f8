// SPDX-License-Identifier: Apache-2.0

/// Where and in which encapsulation a channel is received.
public struct Transport: Hashable, Sendable {
    public enum Encapsulation: Hashable, Sendable {
        /// MPEG-2 TS in RTP (RFC 2250) with this payload type, 0...127.
        case rtp(payloadType: UInt8)
        /// TS packets directly in UDP.
        case raw
        /// One of the two, whichever the first datagrams are; RTP of any payload type.
        case automatic
        /// Pictures, sound or both, each in an RTP session of its own; never empty. The transport's address, port and
        /// source are those of the first medium.
        case elementary([ElementaryMedium])
    }

    /// Multicast group, or a unicast address of the box; numeric.
    public var address: String
    public var port: UInt16
    /// The one sender of a source-specific join (SSM); nil if any sender is accepted.
    public var source: String?
    /// Senders that an any-source join excludes. Numeric, at most 10.
    public var excludedSources: [String]
    public var encapsulation: Encapsulation
    /// Senders of the same packets, joined in turn when the one before falls silent; used only with a `source`.
    public var furtherSources: [String] = []
    public var repair: Repair?
    public var secondPath: SecondPath?

    /// Where the media are received, without the flows that repair them.
    public var mediaEndpoints: Set<FlowEndpoint> {
        guard case .elementary(let media) = encapsulation else { return [FlowEndpoint(address: address, port: port)] }
        return Set(media.map { FlowEndpoint(address: $0.address, port: $0.port) })
    }

    /// All senders of the channel, in the order in which they are joined; empty if any sender is accepted.
    public var sources: [String] { source.map { [$0] + furtherSources } ?? [] }

    /// The same without the senders that its flows are received from.
    public var withoutSources: Transport {
        var transport = self
        (transport.source, transport.furtherSources) = (nil, [])
        transport.secondPath?.endpoint.source = nil
        switch transport.repair {
        case .windows(var windows)?:
            windows.endpoint.source = nil
            transport.repair = .windows(windows)
        case .parity(var parity)?:
            parity.columns?.source = nil
            parity.rows?.source = nil
            transport.repair = .parity(parity)
        case nil: break
        }
        return transport
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

    /// nil if `media` is empty.
    public init?(_ media: [ElementaryMedium]) {
        guard let first = media.first else { return nil }
        self.init(
            address: first.address, port: first.port, source: first.source,
            excludedSources: first.excludedSources, encapsulation: .elementary(media))
    }
}
