// SPDX-License-Identifier: Apache-2.0

/// What came under the last sequence numbers, and of whom. By it two senders of the same packets are told from two streams
/// whose numbers are near each other by chance. Its memory is allocated once.
struct SeenPackets: Sendable {
    private struct Entry: Sendable {
        var sequence: UInt16
        /// A number of the sender; 0 if nothing has come.
        var sender: UInt32
        var digest: UInt64
    }

    /// What another sender has sent under the same number.
    struct Match {
        let sender: UInt32
        let isSame: Bool
    }

    private var entries = [Entry](repeating: Entry(sequence: 0, sender: 0, digest: 0), count: 2_048)

    /// Remembers a packet.
    /// - Parameters:
    ///   - packet: at least 8 octets.
    ///   - sender: not 0.
    ///   - replaces: whether it takes the place of what another has sent under its number.
    /// - Returns: nil if no other has sent this number lately.
    mutating func note(
        _ sequence: UInt16, _ packet: UnsafeRawBufferPointer, of sender: UInt32, replaces: Bool
    ) -> Match? {
        let place = Int(sequence) % entries.count
        let before = entries[place]
        let digest = Self.digest(of: packet)
        let isKnown = before.sender != 0 && before.sequence == sequence
        if replaces || !isKnown { entries[place] = Entry(sequence: sequence, sender: sender, digest: digest) }
        guard isKnown, before.sender != sender else { return nil }
        return Match(sender: before.sender, isSame: before.digest == digest)
    }

    /// A hash of the packet's length and of eight of its words. Packets of different streams differ in these, since
    /// compressed pictures and sound do not repeat.
    private static func digest(of packet: UnsafeRawBufferPointer) -> UInt64 {
        var digest = UInt64(packet.count)
        for piece in 0..<8 {
            let word = packet.loadUnaligned(fromByteOffset: (packet.count - 8) * piece / 7, as: UInt64.self)
            digest = (digest ^ word) &* 0x9E37_79B9_7F4A_7C15
            digest ^= digest >> 29
        }
        return digest
    }
}
