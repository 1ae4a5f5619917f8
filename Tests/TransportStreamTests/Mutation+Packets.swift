// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import TransportStream

extension Mutation {
    /// Each four packets damaged by themselves, so that some of them stay readable.
    mutating func damagePackets(_ packets: [UInt8]) -> [UInt8] {
        var bytes = packets
        for start in stride(from: 0, to: packets.count, by: 4 * TSPacket.size).reversed() {
            let range = start..<start + 4 * TSPacket.size
            bytes.replaceSubrange(range, with: damage(Array(packets[range])))
        }
        return bytes
    }
}
