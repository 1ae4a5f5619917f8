// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Why repair or a second path that is announced cannot be used. The channel is received without it.
public enum UnusableRepair: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownScheme(String)
    /// FEC encoding id of FECFRAME's registry. Only 8 is supported: Reed–Solomon over GF(2^m).
    case encoding(UInt8)
    /// m of GF(2^m). Only 8 is supported.
    case fieldSize(Int)
    /// More packets than the 255 that GF(2^8) distinguishes, or none.
    case windowSize(source: Int, repair: Int)
    case depth(Int)
    case symbolOctets(Int)
    /// The windows would take more memory than `RepairWindows.mostOctets`.
    case memory(octets: Int)
    /// The stream is in UDP without RTP and has no sequence numbers.
    case bareStream
    /// It is not sent to a numeric address.
    case noEndpoint

    public var description: String {
        switch self {
        case .unknownScheme(let name): "repair of scheme \(name) is not known"
        case .encoding(let id): "repair of FECFRAME encoding \(id), where 8 is read"
        case .fieldSize(let bits): "repair over GF(2^\(bits)), where m is 8"
        case .windowSize(let source, let repair): "repair windows of \(source) + \(repair) packets, where 255 is most"
        case .depth(let depth): "repair of depth \(depth), where \(RepairWindows.depthRange.upperBound) is most"
        case .symbolOctets(let octets):
            "repair symbols of \(octets) octets, where \(RepairWindows.symbolRange) are possible"
        case .memory(let octets):
            "repair windows of \(octets) octets, where \(RepairWindows.mostOctets) are most"
        case .bareStream: "repair of a stream without sequence numbers"
        case .noEndpoint: "repair that is not sent to a numeric address"
        }
    }
}

extension RepairWindows {
    /// Makes the windows that are announced.
    /// - Throws: `UnusableRepair` if they are not supported.
    init(
        announced endpoint: FlowEndpoint, sourcePackets: Int, repairPackets: Int, depth: Int, symbolOctets: Int,
        generator: Generator, span: Nanoseconds
    ) throws(UnusableRepair) {
        guard Self.sourceRange.contains(sourcePackets), Self.repairRange.contains(repairPackets),
            sourcePackets + repairPackets <= 255
        else { throw .windowSize(source: sourcePackets, repair: repairPackets) }
        guard Self.depthRange.contains(depth) else { throw .depth(depth) }
        guard Self.symbolRange.contains(symbolOctets) else { throw .symbolOctets(symbolOctets) }
        self.init(
            endpoint: endpoint, sourcePackets: sourcePackets, repairPackets: repairPackets, depth: depth,
            symbolOctets: symbolOctets, generator: generator, span: span)
        guard octets <= Self.mostOctets else { throw .memory(octets: octets) }
    }
}
