// SPDX-License-Identifier: Apache-2.0

/// What multiplexers do that ffmpeg does not, and that can be played all the same.
struct MultiplexerHabits: OptionSet, Sendable {
    let rawValue: Int

    /// Packets without payload raise the continuity counter too.
    static let raisesCounters = Self(rawValue: 1)
    /// The map lists sound, and none comes.
    static let leavesSoundOut = Self(rawValue: 2)
    /// Sound comes 1.5 s behind the pictures of its instant.
    static let sendsSoundLater = Self(rawValue: 4)
    /// The length of the map's last entry reaches beyond the map.
    static let overrunsMap = Self(rawValue: 8)
    /// The four bits in front of time stamps are others.
    static let setsOddPrefixes = Self(rawValue: 16)
    /// Only random-access points have time stamps.
    static let stampsPointsAlone = Self(rawValue: 32)

    /// - Returns: whether the packet is sent.
    func apply(to packet: inout [UInt8]) -> Bool {
        let pid = LoopedFilm.pid(packet)
        if contains(.overrunsMap), pid == LoopedFilm.map, packet[1] & 0x40 != 0 { Self.overrunMap(&packet) }
        if pid == LoopedFilm.video || pid == LoopedFilm.sound { changeStamps(of: pid, &packet) }
        return !contains(.leavesSoundOut) || pid != LoopedFilm.sound
    }

    private func changeStamps(of pid: Int, _ packet: inout [UInt8]) {
        let hasField = packet[3] & 0x20 != 0
        let isPoint = hasField && packet[4] > 0 && packet[5] & 0x40 != 0
        let start = hasField ? 5 + Int(packet[4]) : 4
        guard packet[1] & 0x40 != 0, start + 14 <= packet.count, packet[start + 7] & 0x80 != 0 else { return }
        if contains(.setsOddPrefixes) { packet[start + 9] |= 0x80 }
        if contains(.stampsPointsAlone), pid == LoopedFilm.video, !isPoint { packet[start + 7] &= 0x3f }
    }

    private static func overrunMap(_ packet: inout [UInt8]) {
        LoopedFilm.changeMap(&packet) { octets, table, end in
            var (entry, last) = (table + 12 + (Int(octets[table + 10] & 0x0f) << 8 | Int(octets[table + 11])), table)
            while entry + 5 <= end {
                last = entry
                entry += 5 + (Int(octets[entry + 3] & 0x0f) << 8 | Int(octets[entry + 4]))
            }
            if last > table { octets[last + 4] = 200 }
        }
    }

    /// Of the pictures, with a counter that goes on.
    static func packetWithoutPayload(_ counters: inout [Int: UInt8]) -> [UInt8] {
        let counter = counters[LoopedFilm.video].map { ($0 + 1) & 0x0f } ?? 0
        counters[LoopedFilm.video] = counter
        let header = [0x47, UInt8(LoopedFilm.video >> 8), UInt8(LoopedFilm.video & 0xff), 0x20 | counter, 183, 0]
        return header + [UInt8](repeating: 0xff, count: 182)
    }
}
