// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Why repair or a second path that is announced cannot be used; the channel is heard without it.
public enum UnusableRepair: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownScheme(String)
    /// Of FECFRAME's registry; we read 8, Reed–Solomon over GF(2^m).
    case encoding(UInt8)
    /// m of GF(2^m); we have 8.
    case fieldSize(Int)
    /// More than the 255 packets that GF(2^8) tells apart, or none.
    case windowSize(source: Int, repair: Int)
    case depth(Int)
    case symbolOctets(Int)
    /// What is bare in UDP has no sequence numbers to go by.
    case bareStream
    /// Not sent to a numeric address.
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
        case .bareStream: "repair of a stream without sequence numbers"
        case .noEndpoint: "repair that is not sent to a numeric address"
        }
    }
}

extension RepairWindows {
    /// What is announced, when we can do it.
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
    }
}
