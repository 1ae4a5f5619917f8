// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time
import Venue

@testable import ErasureCoding

/// A flow as its encoder sends it.
struct ProtectedFlow {
    struct Datagram {
        var bytes: [UInt8]
        var isRepair: Bool
        var time: Monotonic

        var id: PayloadIdentifier {
            let place = isRepair ? 0 : bytes.count - PayloadIdentifier.size
            return PayloadIdentifier(
                block: UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]),
                symbol: Int(bytes[place + 3]),
                sourceCount: Int(bytes[place + 4]) << 8 | Int(bytes[place + 5]))
        }
        /// A source's packet without its id.
        var packet: [UInt8] { Array(bytes.dropLast(PayloadIdentifier.size)) }
    }

    static let endpoint = FlowEndpoint(address: "239.1.1.1", port: 5_006)

    let windows: RepairWindows
    let packetsPerSecond: Double
    let encoder: WindowEncoder
    var random: SplitMix64
    var sent: [Datagram] = []
    var time = Monotonic(nanoseconds: 1_000_000_000)
    var sequence: UInt16
    var ssrc: UInt32 = 0xCAFE

    init(
        _ sources: Int, _ repairs: Int, depth: Int = 1, octets: Int = 64, generator: RepairWindows.Generator = .peers,
        packetsPerSecond: Double = 475, firstBlock: UInt32 = 0, seed: UInt64 = 1
    ) {
        var windows = RepairWindows(
            endpoint: Self.endpoint, sourcePackets: sources, repairPackets: repairs, depth: depth,
            symbolOctets: octets, generator: generator, span: .seconds(1))
        windows.span = windows.leastSpan(packetsPerSecond: packetsPerSecond)
        guard let encoder = WindowEncoder(windows, firstBlock: firstBlock) else {
            preconditionFailure("windows of a test that are not supported")
        }
        self.windows = windows
        self.encoder = encoder
        self.packetsPerSecond = packetsPerSecond
        random = SplitMix64(seed: seed)
        sequence = UInt16(truncatingIfNeeded: seed &* 12_345)
    }

    mutating func send(_ count: Int = 1) {
        for _ in 0..<count {
            let octets = Int.random(in: 12...windows.symbolOctets - 3, using: &random)
            send(packet(octets: octets))
        }
    }

    /// An RTP packet with content that no other has.
    mutating func packet(octets: Int) -> [UInt8] {
        sequence &+= 1
        var packet: [UInt8] = [0x80, 33, UInt8(sequence >> 8), UInt8(truncatingIfNeeded: sequence)]
        for _ in 0..<4 { packet.append(UInt8.random(in: 0...255, using: &random)) }
        for shift in [24, 16, 8, 0] as [UInt32] { packet.append(UInt8(truncatingIfNeeded: ssrc >> shift)) }
        while packet.count < octets { packet.append(UInt8.random(in: 0...255, using: &random)) }
        return packet
    }

    mutating func send(_ packet: [UInt8]) {
        var out: [Datagram] = []
        let time = time
        packet.withUnsafeBytes { packet in
            _ = encoder.packetSent(packet, at: time) {
                out.append(Datagram(bytes: Array($0), isRepair: false, time: time))
            } repair: {
                out.append(Datagram(bytes: Array($0), isRepair: true, time: time))
            }
        }
        sent += out
        self.time += .nanoseconds(1_000_000_000 / packetsPerSecond)
    }

    mutating func tick() {
        var out: [Datagram] = []
        let time = time
        encoder.tick(at: time) { out.append(Datagram(bytes: Array($0), isRepair: true, time: time)) }
        sent += out
    }

    mutating func finish() {
        var out: [Datagram] = []
        let time = time
        encoder.finish { out.append(Datagram(bytes: Array($0), isRepair: true, time: time)) }
        sent += out
    }
}

extension Nanoseconds {
    fileprivate static func nanoseconds(_ count: Double) -> Nanoseconds { Nanoseconds(Int64(count)) }
}
