// SPDX-License-Identifier: Apache-2.0

/// 188 octets of a transport stream that a test may falsify. Knows as much of ISO/IEC 13818-1 as ffmpeg's output needs.
struct TransportPacket {
    var octets: [UInt8]

    /// Stuffing.
    static let null = TransportPacket(octets: [0x47, 0x1f, 0xff, 0x10] + [UInt8](repeating: 0xff, count: 184))

    var pid: Int {
        get { Int(octets[1] & 0x1f) << 8 | Int(octets[2]) }
        set {
            octets[1] = octets[1] & 0xe0 | UInt8(newValue >> 8)
            octets[2] = UInt8(newValue & 0xff)
        }
    }

    var startsUnit: Bool { octets[1] & 0x40 != 0 }
    var hasAdaptationField: Bool { octets[3] & 0x20 != 0 }
    var isRandomAccess: Bool { hasAdaptationField && octets[4] > 0 && octets[5] & 0x40 != 0 }
    var hasPayload: Bool { octets[3] & 0x10 != 0 }
    var payloadStart: Int { hasAdaptationField ? min(188, 5 + Int(octets[4])) : 4 }
    var counter: UInt8 {
        get { octets[3] & 0x0f }
        set { octets[3] = octets[3] & 0xf0 | newValue & 0x0f }
    }

    // MARK: Faults

    /// The clock reference becomes stuffing.
    mutating func removeClockReference() {
        guard hasAdaptationField, octets[4] >= 7, octets[5] & 0x10 != 0 else { return }
        octets[5] &= ~0x10
        let rest = Array(octets[12..<5 + Int(octets[4])])
        let place = 6..<5 + Int(octets[4])
        octets.replaceSubrange(place, with: rest + [UInt8](repeating: 0xff, count: 6))
    }

    /// Where the PES packet that begins here has its time stamps: PTS, and DTS if there is one.
    private var stamps: [Int] {
        let start = payloadStart
        guard startsUnit, start + 19 <= 188, octets[start...].starts(with: [0, 0, 1]) else { return [] }
        switch octets[start + 7] >> 6 {
        case 2: return [start + 9]
        case 3: return [start + 9, start + 14]
        default: return []
        }
    }

    /// 90 kHz.
    func stamp(at place: Int) -> Int64 {
        let parts = octets[place..<place + 5].map { Int64($0) }
        return (parts[0] >> 1 & 7) << 30 | (parts[1] << 7 | parts[2] >> 1) << 15 | parts[3] << 7 | parts[4] >> 1
    }

    private mutating func setStamp(_ value: Int64, at place: Int) {
        octets[place] = octets[place] & 0xf0 | UInt8(value >> 30 & 7) << 1 | 1
        octets[place + 1] = UInt8(value >> 22 & 0xff)
        octets[place + 2] = UInt8(value >> 15 & 0x7f) << 1 | 1
        octets[place + 3] = UInt8(value >> 7 & 0xff)
        octets[place + 4] = UInt8(value & 0x7f) << 1 | 1
    }

    /// To be decoded after it was shown.
    mutating func putDecodingTimeLate(by ticks: Int64) {
        let places = stamps
        if places.count == 2 { setStamp(stamp(at: places[0]) + ticks, at: places[1]) }
    }

    mutating func shiftStamps(by ticks: Int64) {
        for place in stamps { setStamp((stamp(at: place) + ticks) & (1 << 33 - 1), at: place) }
    }

    /// A section that is whole in this packet, its length and its check made right again.
    /// - Parameter change: of its octets from the table id on, without the check. It may grow into the stuffing behind it.
    mutating func changeSection(_ change: (inout [UInt8]) -> Void) {
        let start = payloadStart + 1 + Int(octets[payloadStart])
        let length = 3 + (Int(octets[start + 1] & 0x0f) << 8 | Int(octets[start + 2]))
        var section = Array(octets[start..<start + length - 4])
        change(&section)
        // section_length counts what is behind it, with the check.
        let rest = section.count + 1
        section[1] = section[1] & 0xf0 | UInt8(rest >> 8)
        section[2] = UInt8(rest & 0xff)
        let check = Self.check(section)
        octets.replaceSubrange(start..<start + section.count + check.count, with: section + check)
    }

    /// CRC-32 of annex A.
    private static func check(_ octets: [UInt8]) -> [UInt8] {
        var value = UInt32.max
        for octet in octets {
            value ^= UInt32(octet) << 24
            for _ in 0..<8 { value = value & 0x8000_0000 != 0 ? value << 1 ^ 0x04c1_1db7 : value << 1 }
        }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
