// SPDX-License-Identifier: Apache-2.0
import Bytes
import ErasureCoding
import RTP
import Time
import Venue

extension Corpus {
    /// As `fuzzProtectionWindows` reads them: three windows of eight packets and three repairs, every fifth packet lost.
    var protectedPackets: [UInt8] {
        let windows = RepairWindows(
            endpoint: FlowEndpoint(address: "239.1.1.1", port: 5_006), sourcePackets: 8, repairPackets: 3, depth: 1,
            symbolOctets: 64, span: .milliseconds(500))
        guard let encoder = WindowEncoder(windows) else { preconditionFailure("windows of ours") }
        var script: [UInt8] = [7, 2, 0]
        for number in 0..<24 {
            var packet = WireWriter()
            RTPHeader.write(payloadType: 33, sequence: UInt16(number), timestamp: 7, ssrc: 9, to: &packet)
            packet.write(repeating: UInt8(number), count: 20 + number % 3)
            packet.bytes.withUnsafeBytes { bytes in
                _ = encoder.packetSent(bytes, at: Monotonic(nanoseconds: Int64(number) * 10_000_000)) { datagram in
                    if number % 5 != 2 { script += [4, UInt8(datagram.count)] + datagram }
                } repair: { datagram in
                    script += [1, UInt8(datagram.count)] + datagram
                }
            }
        }
        return script
    }
}
