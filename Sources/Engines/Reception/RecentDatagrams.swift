// SPDX-License-Identifier: Apache-2.0
import TransportStream

/// Remembers the last datagrams of a stream without sequence numbers, to find those that come twice: over two interfaces,
/// or through a loop. Its memory is allocated once.
struct RecentDatagrams {
    private var digests = [UInt64](repeating: 0, count: 32)
    private var next = 0

    private static func mix(_ digest: UInt64, _ octets: UInt64) -> UInt64 {
        let product = (digest ^ octets) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }

    /// - Returns: whether a datagram with the same packet headers and clock references, first and last octets is among the
    ///   last 32. The datagram is remembered.
    mutating func hasSeen(_ datagram: UnsafeRawBufferPointer) -> Bool {
        guard datagram.count >= TSPacket.size else { return false }
        var digest = UInt64(datagram.count) &* 0x9E37_79B9_7F4A_7C15
        for offset in stride(from: 0, through: datagram.count - 16, by: TSPacket.size) {
            // A clock reference is in octets 6 to 11 of its packet.
            digest = Self.mix(digest, datagram.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            digest = Self.mix(digest, datagram.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
        }
        digest ^= datagram.loadUnaligned(fromByteOffset: datagram.count - 8, as: UInt64.self) &* 0xC2B2_AE3D_27D4_EB4F
        if digests.contains(digest) { return true }
        digests[next] = digest
        next = (next + 1) % digests.count
        return false
    }
}
