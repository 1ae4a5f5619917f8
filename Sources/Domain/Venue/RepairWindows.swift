// SPDX-License-Identifier: Apache-2.0
import Time

/// Reed–Solomon protection windows over the channel's RTP packets (FECFRAME, RFC 6363; RFC 6865 with m = 8). Each
/// source packet carries six additional octets at its end, so that other players cannot play such a flow.
public struct RepairWindows: Hashable, Sendable {
    /// How the generator matrix is made.
    public enum Generator: String, Hashable, Sendable, CaseIterable {
        /// Evaluation points 0, 1, α, α²…, as in OpenFEC, zfec, GStreamer and flute.
        case peers
        /// Evaluation points 1, α, α²…, exactly as RFC 5510 §8.2.1 defines them.
        case rfc5510
    }

    /// Source packets of a window. The last window of a sender's run may have fewer.
    public static let sourceRange = 1...254
    /// Repair packets of a window; together with the source packets at most 255.
    public static let repairRange = 1...254
    public static let depthRange = 1...64
    /// Octets of the packets that are interleaved; they are held until their windows are repaired. 16 MiB are two seconds
    /// at 60 Mbit/s.
    public static let mostOctets = 16 << 20

    /// Where the repair packets are received.
    public var endpoint: FlowEndpoint
    /// Source packets of a window, k.
    public var sourcePackets: Int
    /// Repair packets of a window, r.
    public var repairPackets: Int
    /// Number of interleaved windows: each takes every `depth`th packet.
    public var depth: Int
    /// Octets of the longest symbol, E: three more than the longest RTP packet.
    public var symbolOctets: Int
    public var generator: Generator
    /// The longest time after a packet in which its repair may arrive.
    public var span: Nanoseconds

    public init(
        endpoint: FlowEndpoint, sourcePackets: Int, repairPackets: Int, depth: Int = 1, symbolOctets: Int = 1_400,
        generator: Generator = .peers, span: Nanoseconds
    ) {
        self.endpoint = endpoint
        self.sourcePackets = sourcePackets
        self.repairPackets = repairPackets
        self.depth = depth
        self.symbolOctets = symbolOctets
        self.generator = generator
        self.span = span
    }

    /// Octets of the interleaved windows if each of their packets is as long as it may be.
    public var octets: Int { depth * (sourcePackets + repairPackets) * symbolOctets }
}
