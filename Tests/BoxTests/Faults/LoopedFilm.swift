// SPDX-License-Identifier: Apache-2.0
import Foundation
import TransportStream

/// A transport stream of ffmpeg's in memory, which can be sent again and again: its time stamps and its continuity
/// counters run on, and its clock says when each packet is due.
struct LoopedFilm: Sendable {
    /// Ticks of 27 MHz in a second.
    static let rate: Int64 = 27_000_000
    private static let packet = 188
    static let video = 0x100
    static let sound = 0x101
    static let map = 0x1000
    private static let null = 0x1fff
    /// Ticks of a picture: all films have 25 pictures a second.
    static let picture = rate / 25

    private let octets: [UInt8]
    /// When each packet is due, ticks from the first.
    private let times: [Int64]
    private let firstClock: Int64
    /// Ticks from one beginning to the next.
    let span: Int64
    var count: Int { times.count }

    /// - Parameters:
    ///   - name: of a vector of `TransportStreamTests`.
    ///   - version: of its program map. A stream that follows another has another one.
    init(_ name: String, version: UInt8) throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../TransportStreamTests/Vectors/\(name).ts").standardizedFileURL
        self.init([UInt8](try Data(contentsOf: path)), version: version)
    }

    /// - Parameter octets: a stream whose program map has PID 0x1000 and whose video has 0x100, with the clock.
    init(_ octets: [UInt8], version: UInt8) {
        var octets = octets
        let count = octets.count / Self.packet
        var clocks: [(index: Int, clock: Int64)] = []
        var pictures: Int64 = 0
        for index in 0..<count {
            let start = index * Self.packet
            let pid = Self.pid(octets, start)
            if let clock = Self.clock(octets, start) { clocks.append((index, clock)) }
            if pid == Self.video, octets[start + 1] & 0x40 != 0 { pictures += 1 }
            if pid == Self.map { Self.setVersion(version, &octets, start) }
        }
        self.octets = octets
        firstClock = clocks.first?.clock ?? 0
        span = pictures * Self.picture
        times = Self.times(count, clocks, firstClock)
    }

    /// Each packet between two clock references is due in proportion.
    private static func times(_ count: Int, _ clocks: [(index: Int, clock: Int64)], _ first: Int64) -> [Int64] {
        var times = [Int64](repeating: 0, count: count)
        for (one, next) in zip(clocks, clocks.dropFirst()) {
            for index in one.index..<next.index {
                let share = Int64(index - one.index) * (next.clock - one.clock) / Int64(next.index - one.index)
                times[index] = one.clock - first + share
            }
        }
        if let last = clocks.last { for index in last.index..<count { times[index] = last.clock - first } }
        return times
    }

    func due(_ index: Int) -> Int64 { times[index] }

    /// A packet with other time stamps.
    /// - Parameters:
    ///   - start: the clock that the film's first packet is to have, in ticks.
    ///   - counters: continuity counters by PID, which go on.
    /// - Returns: nil for stuffing.
    func packet(_ index: Int, startingAt start: Int64, _ counters: inout [Int: UInt8]) -> [UInt8]? {
        var packet = Array(octets[index * Self.packet..<(index + 1) * Self.packet])
        let pid = Self.pid(packet, 0)
        guard pid != Self.null else { return nil }
        if packet[3] & 0x10 != 0 {
            let counter = counters[pid].map { ($0 + 1) & 0x0f } ?? 0
            counters[pid] = counter
            packet[3] = packet[3] & 0xf0 | counter
        }
        let ahead = start - firstClock
        if let clock = Self.clock(packet, 0) { Self.setClock(clock + ahead, &packet) }
        shiftStamps(by: ahead / 300, &packet)
        return packet
    }

    static func isTable(_ packet: [UInt8]) -> Bool {
        let pid = pid(packet, 0)
        return pid == map || pid < 0x20
    }

    // MARK: Octets

    static func pid(_ octets: [UInt8], _ start: Int = 0) -> Int {
        Int(octets[start + 1] & 0x1f) << 8 | Int(octets[start + 2])
    }

    /// The clock reference of the packet that begins there; nil if it has none.
    private static func clock(_ octets: [UInt8], _ start: Int) -> Int64? {
        guard octets[start + 3] & 0x20 != 0, octets[start + 4] >= 7, octets[start + 5] & 0x10 != 0 else { return nil }
        let base = octets[start + 6..<start + 10].reduce(0) { $0 << 8 | Int64($1) }
        let rest = Int64(octets[start + 10]) << 8 | Int64(octets[start + 11])
        return (base << 1 | rest >> 15) * 300 + (rest & 0x1ff)
    }

    private static func setClock(_ clock: Int64, _ packet: inout [UInt8]) {
        let base = clock / 300 & (1 << 33 - 1)
        for place in 0..<4 { packet[6 + place] = UInt8(truncatingIfNeeded: base >> Int64(25 - 8 * place)) }
        let rest = (base & 1) << 15 | 0x7e00 | clock % 300
        packet[10] = UInt8(truncatingIfNeeded: rest >> 8)
        packet[11] = UInt8(truncatingIfNeeded: rest)
    }

    /// PTS and DTS of the PES packet that begins here.
    private func shiftStamps(by ticks: Int64, _ packet: inout [UInt8]) {
        let start = packet[3] & 0x20 != 0 ? 5 + Int(packet[4]) : 4
        guard packet[1] & 0x40 != 0, start + 19 <= packet.count, packet[start..<start + 3] == [0, 0, 1] else { return }
        guard packet[start + 3] >= 0xbd else { return }
        for place in [start + 9, start + 14].prefix(max(0, Int(packet[start + 7] >> 6) - 1)) {
            let parts = packet[place..<place + 5].map { Int64($0) }
            let high = (parts[0] >> 1 & 7) << 30 | (parts[1] << 7 | parts[2] >> 1) << 15
            let value = (high | parts[3] << 7 | parts[4] >> 1) + ticks & (1 << 33 - 1)
            packet[place] = packet[place] & 0xf0 | UInt8(value >> 30 & 7) << 1 | 1
            packet[place + 1] = UInt8(value >> 22 & 0xff)
            packet[place + 2] = UInt8(value >> 15 & 0x7f) << 1 | 1
            packet[place + 3] = UInt8(value >> 7 & 0xff)
            packet[place + 4] = UInt8(value & 0x7f) << 1 | 1
        }
    }

    private static func setVersion(_ version: UInt8, _ octets: inout [UInt8], _ start: Int) {
        changeMap(&octets, start) { octets, table, _ in
            octets[table + 5] = octets[table + 5] & 0xc1 | (version & 0x1f) << 1
        }
    }

    /// Changes the map in the packet that begins there, and makes its check right again.
    /// - Parameter change: is given all octets, where the map begins, and where its check does.
    static func changeMap(_ octets: inout [UInt8], _ start: Int = 0, _ change: (inout [UInt8], Int, Int) -> Void) {
        let table = start + 5 + Int(octets[start + 4])
        let end = table + 3 + (Int(octets[table + 1] & 0x0f) << 8 | Int(octets[table + 2])) - 4
        change(&octets, table, end)
        let check = CRC32MPEG.checksum(of: octets[table..<end])
        for place in 0..<4 { octets[end + place] = UInt8(truncatingIfNeeded: check >> UInt32(24 - 8 * place)) }
    }
}
