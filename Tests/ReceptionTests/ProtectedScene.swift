// SPDX-License-Identifier: Apache-2.0
import Bytes
import ErasureCoding
import Media
import TestSupport
import Time
import Venue

@testable import Reception

/// A protected channel from its sender through a bad network into a history, in simulated time, with a ledger.
struct ProtectedScene {
    struct Datagram {
        var part: FlowPart
        /// Of the media; nil for repair.
        var index: Int?
        var bytes: [UInt8]
        var time: Monotonic
        /// The protection window's number (SBN), where it has one.
        var block: UInt32?
    }

    struct Outcome {
        var counters: ReceptionCounters
        /// Payloads of the history, and when they arrived.
        var payloads: [[UInt8]] = []
        var arrivals: [Monotonic] = []
    }

    static let interval = Nanoseconds.milliseconds(2)
    /// What comes last comes whole, so that all that was lost before it is counted.
    static let tail = PathRecord.patience + 300

    let transport: Transport
    /// As sent, without what repair adds.
    let packets: [[UInt8]]
    var datagrams: [Datagram] = []

    /// - Parameters:
    ///   - count: packets besides those of the tail.
    ///   - restart: index of a packet whose sequence number is far from that before.
    init(
        _ repair: Repair?, secondPath: SecondPath? = nil, count: Int, restart: Int? = nil, random: inout SplitMix64
    ) {
        var transport = Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 33))
        transport.repair = repair
        transport.secondPath = secondPath
        self.transport = transport
        let first = UInt16.random(in: 0...65_535, using: &random)
        let ssrc = UInt32.random(in: 0 ... .max, using: &random)
        packets = (0..<count + Self.tail).map { index in
            let sequence = first &+ UInt16(truncatingIfNeeded: index)
            return Self.packet(index, index >= restart ?? .max ? sequence &+ 21_000 : sequence, ssrc)
        }
    }

    static func time(of index: Int) -> Monotonic { Monotonic(nanoseconds: 7_000_000_000) + interval * Int64(index) }

    /// In steps of 7.
    private static let ramp = (0..<256 + 184).map { UInt8(truncatingIfNeeded: $0 * 7) }

    private static func packet(_ index: Int, _ sequence: UInt16, _ ssrc: UInt32) -> [UInt8] {
        let timestamp = UInt32(truncatingIfNeeded: index * 180)
        var bytes: [UInt8] = [0x80, 33, UInt8(sequence >> 8), UInt8(sequence & 0xff)]
        for word in [timestamp, ssrc] {
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
        }
        for place in 0..<1 + index % 7 {
            bytes += [0x47, 0x1f, 0xff, 0x10]
            // 183 times 7 is 1 more than a multiple of 256.
            let first = Int(UInt8(truncatingIfNeeded: (index &* 31 &+ place) &* 183))
            bytes += ramp[first..<first + 184]
        }
        return bytes
    }

    // MARK: Senders

    mutating func send(by part: FlowPart = .media, delayed delay: Nanoseconds = .zero) {
        for (index, packet) in packets.enumerated() {
            datagrams.append(Datagram(part: part, index: index, bytes: packet, time: Self.time(of: index) + delay))
        }
    }

    mutating func sendParity(columns: Int, rows: Int) {
        let encoder = ParityEncoder(columns: columns, rows: rows)
        for (index, packet) in packets.enumerated() {
            let time = Self.time(of: index)
            datagrams.append(Datagram(part: .media, index: index, bytes: packet, time: time))
            packet.withUnsafeBytes { bytes in
                _ = encoder.packetSent(bytes) { repair, flow in
                    let part: FlowPart = flow == .rows ? .rows : .repair
                    datagrams.append(Datagram(part: part, index: nil, bytes: Array(repair), time: time))
                }
            }
        }
    }

    mutating func sendWindows(_ windows: RepairWindows) {
        guard let encoder = WindowEncoder(windows, firstBlock: 0xff_fff0) else { return }
        for (index, packet) in packets.enumerated() {
            let time = Self.time(of: index)
            let send = { (bytes: UnsafeRawBufferPointer) in
                Datagram(part: .repair, index: nil, bytes: Array(bytes), time: time, block: Self.block(bytes))
            }
            encoder.tick(at: time) { datagrams.append(send($0)) }
            _ = packet.withUnsafeBytes { bytes in
                encoder.packetSent(bytes, at: time) { source in
                    let block = Self.block(UnsafeRawBufferPointer(rebasing: source.suffix(6)))
                    datagrams.append(
                        Datagram(part: .media, index: index, bytes: Array(source), time: time, block: block))
                } repair: {
                    datagrams.append(send($0))
                }
            }
        }
        let end = Self.time(of: packets.count)
        encoder.finish {
            datagrams.append(Datagram(part: .repair, index: nil, bytes: Array($0), time: end, block: Self.block($0)))
        }
    }

    /// Of a payload id: SBN, 24 bits; ESI; k.
    private static func block(_ id: UnsafeRawBufferPointer) -> UInt32 {
        id.prefix(3).reduce(0) { $0 << 8 | UInt32($1) }
    }

    // MARK: Network

    /// Whether a datagram may be harmed: not the first, which begins the count, and not the tail.
    func isFair(_ datagram: Datagram) -> Bool {
        datagram.time > Self.time(of: 0) + .milliseconds(100)
            && datagram.time < Self.time(of: packets.count - Self.tail)
    }

    /// - Returns: the media packets that were dropped of each part.
    mutating func drop(_ isLost: (Datagram) -> Bool) -> [FlowPart: Set<Int>] {
        var dropped: [FlowPart: Set<Int>] = [:]
        var kept: [Datagram] = []
        for datagram in datagrams {
            if isFair(datagram), isLost(datagram) {
                if let index = datagram.index { dropped[datagram.part, default: []].insert(index) }
            } else {
                kept.append(datagram)
            }
        }
        datagrams = kept
        return dropped
    }

    /// - Returns: how many of the media came twice.
    mutating func duplicate(_ share: Double, random: inout SplitMix64) -> Int {
        var copies: [Datagram] = []
        for datagram in datagrams where isFair(datagram) && Double.random(in: 0..<1, using: &random) < share {
            var copy = datagram
            copy.time += .microseconds(Int64.random(in: 0...6_000, using: &random))
            copies.append(copy)
        }
        datagrams += copies
        return copies.filter { $0.part.isMedia }.count
    }

    mutating func jitter(_ most: Nanoseconds, share: Double, random: inout SplitMix64) {
        for place in datagrams.indices where isFair(datagrams[place]) {
            guard Double.random(in: 0..<1, using: &random) < share else { continue }
            datagrams[place].time += Nanoseconds(Int64.random(in: 0...most.count, using: &random))
        }
    }

    // MARK: Receiver

    func received(bandwidthKbps: Int = 0) -> Outcome {
        received(bandwidthKbps: bandwidthKbps) { flow in
            var nextTick = Self.time(of: 0)
            for datagram in ordered {
                while nextTick < datagram.time {
                    flow.tick(at: nextTick)
                    nextTick += .milliseconds(20)
                }
                datagram.bytes.withUnsafeBytes { flow.datagramReceived($0, of: datagram.part, at: datagram.time) }
            }
            flow.tick(at: (ordered.last?.time ?? nextTick) + .seconds(20))
        }
    }

    /// As one thread reads its sockets: what came meanwhile to each, one after the other.
    private var ordered: [Datagram] {
        let turn = { (datagram: Datagram) in
            datagram.time.nanoseconds / 8_000_000 * 4 + Int64(datagram.part.rawValue)
        }
        return datagrams.enumerated().sorted {
            (turn($0.element), $0.element.time, $0.offset) < (turn($1.element), $1.element.time, $1.offset)
        }.map(\.element)
    }

    /// All that the receiver is given, each datagram with its part for a port.
    var log: [UInt8] {
        var log = WireWriter()
        for datagram in ordered {
            datagram.bytes.withUnsafeBytes {
                InputLog.write(
                    .datagram, at: datagram.time, port: UInt16(datagram.part.rawValue), payload: $0, to: &log)
            }
            [].withUnsafeBytes { InputLog.write(.tick, at: datagram.time, payload: $0, to: &log) }
        }
        return log.bytes
    }

    func replayed(_ log: [UInt8]) throws -> Outcome {
        try received(bandwidthKbps: 0) { flow in
            try log.withUnsafeBytes { bytes in
                try InputLog.read(bytes) { entry in
                    let payload = UnsafeRawBufferPointer(rebasing: bytes[entry.payload])
                    switch entry.kind {
                    case .datagram:
                        let part = FlowPart(rawValue: Int(entry.port)) ?? .media
                        flow.datagramReceived(payload, of: part, at: entry.time)
                    default: flow.tick(at: entry.time)
                    }
                }
            }
        }
    }

    private func received(bandwidthKbps: Int, feed: (FlowReceiver) throws -> Void) rethrows -> Outcome {
        let history = HistoryBuffer(span: .seconds(600), capacity: 16 << 20)
        let flow = FlowReceiver(transport, bandwidthKbps: bandwidthKbps, into: history)
        try feed(flow)
        var outcome = Outcome(counters: flow.counters)
        var cursor = history.oldest
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: history.largestRecord, alignment: 8)
        defer { buffer.deallocate() }
        while case .record(let record) = history.read(&cursor, into: buffer) {
            outcome.payloads.append(Array(buffer[..<record.octets]))
            outcome.arrivals.append(record.arrival)
        }
        return outcome
    }

    /// Which packets of the channel these payloads are, in their order; nil where one is none of them.
    func indices(of payloads: [[UInt8]]) -> [Int]? {
        var places: [[UInt8]: [Int]] = [:]
        for (index, packet) in packets.enumerated() { places[Array(packet[12...]), default: []].append(index) }
        var next = 0
        var result: [Int] = []
        for payload in payloads {
            guard let index = places[payload]?.first(where: { $0 >= next }) else { return nil }
            result.append(index)
            next = index + 1
        }
        return result
    }

    /// Media that came behind a later packet of the same path, copies aside.
    func reordered(by part: FlowPart = .media) -> Int {
        var ordered = Array(datagrams.enumerated().filter { $0.element.part == part })
        ordered.sort { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        var (newest, count) = (-1, 0)
        var seen: Set<Int> = []
        for (_, datagram) in ordered {
            guard let index = datagram.index, seen.insert(index).inserted else { continue }
            if index < newest { count += 1 }
            newest = max(newest, index)
        }
        return count
    }
}
