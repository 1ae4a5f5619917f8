// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time
import TransportStream

/// A faultless stream of one program at a constant rate of 2 Mbit/s, a packet in each slot, to be spoilt where a test wants.
struct MadeStream {
    struct Packet {
        var bytes: [UInt8]
        var sent: Nanoseconds

        var pid: UInt16 { UInt16(bytes[1] & 0x1F) << 8 | UInt16(bytes[2]) }
        var startsUnit: Bool { bytes[1] & 0x40 != 0 }
        var hasPayload: Bool { bytes[3] & 0x10 != 0 }
        var hasClock: Bool { bytes[3] & 0x20 != 0 && bytes[4] > 0 && bytes[5] & 0x10 != 0 }

        var isNull: Bool { pid == PID.null }
        var isAssociation: Bool { pid == 0 }
        var isMap: Bool { pid == MadeStream.mapPID }
        var isVideo: Bool { pid == MadeStream.videoPID }
        var isAudio: Bool { pid == MadeStream.audioPID }
    }

    static let mapPID: UInt16 = 0x1000
    static let videoPID: UInt16 = 0x100
    static let audioPID: UInt16 = 0x101
    static let slot = Nanoseconds(752_000)
    private static let ticksPerSlot: UInt64 = 20_304

    var packets: [Packet] = []

    /// Each about that often: tables 100 ms, clock 20 ms, pictures 40 ms, sound 21 ms.
    init(seconds: Int) {
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: Self.mapPID)])
        let map = PMT(
            programNumber: 1, pcrPID: Self.videoPID,
            streams: [
                ElementaryStream(type: 0x1B, pid: Self.videoPID), ElementaryStream(type: 0x0F, pid: Self.audioPID),
                ElementaryStream(type: 0x06, pid: 0x102),  // data, which may pause
            ])
        let tables = (association.section(version: 0), map.section(version: 0))
        for index in 0..<seconds * 1_330 {
            let ticks = UInt64(index) * Self.ticksPerSlot
            let bytes: [UInt8]
            if index % 133 == 0 {
                bytes = Self.packet(0, section: tables.0)
            } else if index % 133 == 1 {
                bytes = Self.packet(Self.mapPID, section: tables.1)
            } else if index % 26 == 2 {
                bytes = Self.clockPacket(ticks)
            } else if index % 53 == 3 {
                bytes = Self.packet(Self.videoPID, unit: 0xE0, pts: ticks / 300 + 9_000)
            } else if index % 28 == 4 {
                bytes = Self.packet(Self.audioPID, unit: 0xC0, pts: ticks / 300 + 9_000)
            } else if index % 3 == 0 {
                bytes = Self.head(Self.videoPID, 0x10) + [UInt8](repeating: UInt8(index & 0x7F) | 0x80, count: 184)
            } else {
                bytes = Self.head(PID.null, 0x10) + [UInt8](repeating: 0xFF, count: 184)
            }
            packets.append(Packet(bytes: bytes, sent: Self.slot * Int64(index)))
        }
        renumber()
    }

    // MARK: Parts

    static func head(_ pid: UInt16, _ control: UInt8, startsUnit: Bool = false) -> [UInt8] {
        [0x47, (startsUnit ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF), control]
    }

    /// - Precondition: fits one packet.
    static func packet(_ pid: UInt16, section: [UInt8]) -> [UInt8] {
        head(pid, 0x10, startsUnit: true) + [0] + section + [UInt8](repeating: 0xFF, count: 183 - section.count)
    }

    static func packet(_ pid: UInt16, unit streamID: UInt8, pts: UInt64) -> [UInt8] {
        let time: [UInt8] = [
            0x21 | UInt8(pts >> 29 & 0xE), UInt8(pts >> 22 & 0xFF), 1 | UInt8(pts >> 14 & 0xFE), UInt8(pts >> 7 & 0xFF),
            1 | UInt8(pts << 1 & 0xFE),
        ]
        let front: [UInt8] = [0, 0, 1, streamID, 0, 0, 0x80, 0x80, 5] + time
        return head(pid, 0x10, startsUnit: true) + front + [UInt8](repeating: 0x55, count: 184 - front.count)
    }

    static func clockPacket(_ ticks: UInt64) -> [UInt8] {
        head(videoPID, 0x20) + [183, 0x10] + clockField(ticks) + [UInt8](repeating: 0xFF, count: 176)
    }

    static func clockField(_ ticks: UInt64) -> [UInt8] {
        let field = (ticks / 300) << 15 | 0x7E00 | ticks % 300
        return [UInt8](bigEndian: field).suffix(6)
    }

    // MARK: Faults

    /// All counters anew, as if the packets that are here were all that there ever were.
    mutating func renumber() {
        var next: [UInt16: UInt8] = [:]
        for index in packets.indices {
            let packet = packets[index]
            var counter = next[packet.pid, default: 0]
            packets[index].bytes[3] = packet.bytes[3] & 0xF0 | (packet.hasPayload ? counter : counter &- 1) & 0xF
            if packet.hasPayload { counter &+= 1 }
            next[packet.pid] = counter
        }
    }

    /// Null packets in the place of those within the span, counted anew.
    mutating func silence(_ span: Range<Int64>, where isMeant: (Packet) -> Bool) {
        change(span, where: isMeant) { $0 = Self.head(PID.null, 0x10) + [UInt8](repeating: 0xFF, count: 184) }
        renumber()
    }

    /// - Parameter span: milliseconds.
    mutating func change(_ span: Range<Int64>, where isMeant: (Packet) -> Bool, _ body: (inout [UInt8]) -> Void) {
        for index in packets.indices where span.contains(packets[index].sent.milliseconds) && isMeant(packets[index]) {
            body(&packets[index].bytes)
        }
    }

    /// The first of those from an instant on.
    func index(from milliseconds: Int64, where isMeant: (Packet) -> Bool) -> Int? {
        packets.firstIndex { $0.sent.milliseconds >= milliseconds && isMeant($0) }
    }

    /// Puts a packet into the place of a null packet.
    mutating func insert(_ bytes: [UInt8], at milliseconds: Int64) {
        guard let place = index(from: milliseconds, where: { $0.pid == PID.null }) else { return }
        packets[place].bytes = bytes
    }

    /// Moves the clock from an instant on.
    mutating func moveClock(_ span: Range<Int64>, by ticks: Int64, isFlagged: Bool = false) {
        var isFirst = true
        for index in packets.indices where span.contains(packets[index].sent.milliseconds) && packets[index].hasClock {
            let now = UInt64(Int64(index) * Int64(Self.ticksPerSlot) + ticks)
            packets[index].bytes.replaceSubrange(6..<12, with: Self.clockField(now))
            if isFirst, isFlagged { packets[index].bytes[5] |= 0x80 }
            isFirst = false
        }
    }
}
