// SPDX-License-Identifier: Apache-2.0
import Time

/// Reed–Solomon protection windows over the channel's RTP packets (FECFRAME, RFC 6363; RFC 6865 with m = 8). Each source
/// packet carries six octets behind it: no foreign player plays such a flow.
public struct RepairWindows: Hashable, Sendable {
    /// How the generator matrix is made.
    public enum Generator: String, Hashable, Sendable, CaseIterable {
        /// Evaluation points 0, 1, α, α²…, as OpenFEC, zfec, GStreamer and flute have it.
        case peers
        /// Evaluation points 1, α, α²…: RFC 5510 §8.2.1 to the letter.
        case rfc5510
    }

    /// Packets of a window, 1...254; the last of a sender's run may have fewer.
    public static let sourceRange = 1...254
    /// With the packets of the window at most 255.
    public static let repairRange = 1...254
    public static let depthRange = 1...64

    /// Where the repair packets are.
    public var endpoint: FlowEndpoint
    /// Packets of the stream in a window, k.
    public var sourcePackets: Int
    /// Repair packets of a window, r.
    public var repairPackets: Int
    /// Windows that take turns: each takes every `depth`th packet.
    public var depth: Int
    /// Octets of the longest symbol, E: three more than the longest RTP packet.
    public var symbolOctets: Int
    public var generator: Generator
    /// How long after a packet its repair may come.
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
}
