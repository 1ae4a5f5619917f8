// SPDX-License-Identifier: Apache-2.0
import Bytes
import Foundation
import RTP

let rtpBenchmarks: [Benchmark] = {
    var writer = WireWriter()
    RTPHeader.write(payloadType: 33, sequence: 7, timestamp: 90_000, ssrc: 1, to: &writer)
    writer.write(repeating: 0x47, count: 1_316)
    let datagram = writer.bytes
    return [
        Benchmark(name: "rtp-header", operation: "header") { count in
            var changing = datagram
            var result: UInt64 = 0
            changing.withUnsafeMutableBytes { bytes in
                for number in 0..<count {
                    bytes[2] = UInt8(truncatingIfNeeded: number >> 8)
                    bytes[3] = UInt8(truncatingIfNeeded: number)
                    guard let header = try? RTPHeader(UnsafeRawBufferPointer(bytes)) else {
                        fatalError("a header of ours")
                    }
                    result &+= UInt64(header.sequence) &+ UInt64(header.payload.count)
                }
            }
            return result
        }
    ]
}()
