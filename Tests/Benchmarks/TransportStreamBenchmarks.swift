// SPDX-License-Identifier: Apache-2.0
import Bytes
import Foundation
import TransportStream

/// Reading of headers across modules: 14 ns when it is inlined, 300 when not. The goal is 25, a failure is above 50.
let transportStreamBenchmarks = [
    headerBenchmark("ts-header", limit: 50, adaptation: []),
    headerBenchmark("ts-header-pcr", limit: nil, adaptation: [7, 0x10, 0, 0, 0, 1, 0x7E, 0]),
]

/// - Parameter adaptation: what stands between header and payload.
private func headerBenchmark(_ name: String, limit: Double?, adaptation: [UInt8]) -> Benchmark {
    var writer = WireWriter()
    for number in 0..<700 {
        writer.write(UInt8(0x47))
        writer.write(UInt16(0x100 + number % 3))
        writer.write((adaptation.isEmpty ? 0x10 : 0x30) | UInt8(number % 16))
        writer.write(contentsOf: adaptation)
        writer.write(repeating: 0xA5, count: TSPacket.size - 4 - adaptation.count)
    }
    let packets = writer.bytes
    return Benchmark(name: name, operation: "packet header", limit: limit) { count in
        packets.withUnsafeBytes { bytes in
            var result: UInt64 = 0
            var offset = 0
            for _ in 0..<count {
                guard let packet = try? TSPacket(bytes, at: offset) else { fatalError("a packet of ours") }
                result &+= UInt64(packet.pid) &+ UInt64(packet.continuityCounter) &+ UInt64(packet.payload.count)
                result &+= packet.pcr ?? 0
                offset &+= TSPacket.size
                if offset == bytes.count { offset = 0 }
            }
            return result
        }
    }
}
