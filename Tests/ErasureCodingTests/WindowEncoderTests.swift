// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Venue

@testable import ErasureCoding

@Suite struct WindowEncoderTests {
    /// RFC 6865: the id behind the packet; before a repair symbol, whose first octets are the F and L that all share.
    @Test func formsOfTheWire() {
        var flow = ProtectedFlow(10, 4, octets: 1_331)
        for _ in 0..<10 { flow.send(flow.packet(octets: 1_328)) }
        flow.finish()
        #expect(flow.sent.count == 14)
        #expect(flow.sent[0].bytes.count == 1_334)
        #expect(flow.sent[0].bytes.suffix(6) == [0, 0, 0, 0, 0, 10])
        #expect(flow.sent[9].bytes.suffix(6) == [0, 0, 0, 9, 0, 10])
        #expect(flow.sent[10].bytes.prefix(11) == [0, 0, 0, 10, 0, 10, 0, 0x05, 0x30, 0x80, 33])
        #expect(flow.sent.dropFirst(10).map(\.id.symbol) == [10, 11, 12, 13])
        #expect(flow.sent.dropFirst(10).allSatisfy { $0.bytes.count == 6 + 1_331 })
    }

    /// Packets of four octets cannot be RTP, so the vectors stand twelve octets behind the beginning.
    @Test(arguments: [
        (RepairWindows.Generator.peers, ["898a8b26", "252627b8", "4f4c4d68"]),
        (.rfc5510, ["1516177f", "424140d8", "484b4aaf"]),
    ])
    func vectors(generator: RepairWindows.Generator, repairs: [String]) {
        var flow = ProtectedFlow(4, 3, octets: 19, generator: generator)
        for first in stride(from: UInt8(1), to: 17, by: 4) {
            flow.send(flow.packet(octets: 12) + (first..<first + 4))
        }
        flow.finish()
        let ends = flow.sent.filter(\.isRepair).map { datagram in
            datagram.bytes.suffix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(ends == repairs)
    }

    @Test(arguments: Effort.seeds(20)) func repairsAreThoseOfTheSlowField(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (sources, repairs) = (Int.random(in: 1...20, using: &random), Int.random(in: 1...9, using: &random))
        var flow = ProtectedFlow(sources, repairs, generator: .rfc5510, seed: seed)
        let count = Int.random(in: 1...sources, using: &random)
        flow.send(count)
        flow.finish()
        let octets = 3 + (flow.sent.prefix(count).map(\.packet.count).max() ?? 0)
        let symbols = flow.sent.prefix(count).map { datagram in
            let packet = datagram.packet
            let head: [UInt8] = [0, 0, UInt8(packet.count)]
            return head + packet + Array(repeating: 0, count: octets - 3 - packet.count)
        }
        let rows = SlowField.repairs(of: SlowField.literal(count, count + repairs))
        for (row, repair) in zip(rows, flow.sent.dropFirst(count)) {
            #expect(repair.isRepair && repair.id.sourceCount == count)
            let sums = (0..<octets).map { octet in
                (0..<count).reduce(UInt8(0)) { $0 ^ SlowField.product(row[$1], symbols[$1][octet]) }
            }
            #expect(Array(repair.bytes.dropFirst(6)) == sums)
        }
    }

    /// Windows take turns and end one after the other; none waits for another, none repairs later than the span.
    @Test(arguments: [(100, 30, 6), (10, 4, 3), (3, 2, 5), (1, 1, 4), (20, 20, 1)])
    func windowsTakeTurns(sources: Int, repairs: Int, depth: Int) {
        var flow = ProtectedFlow(sources, repairs, depth: depth)
        flow.send(sources * depth * 4)
        var first: [UInt32: Monotonic] = [:]
        var ended: [UInt32: Int] = [:]
        var number = 0
        var mostRepairs = 0
        var repairsSince = 0
        for datagram in flow.sent {
            let block = datagram.id.block
            if datagram.isRepair {
                repairsSince += 1
                mostRepairs = max(mostRepairs, repairsSince)
                #expect(datagram.id.sourceCount == sources || block < UInt32(depth))
                if ended[block] == nil { ended[block] = number }
            } else {
                repairsSince = 0
                number += 1
                if first[block] == nil { first[block] = datagram.time }
            }
            if let begun = first[block] { #expect(datagram.time - begun <= flow.windows.span) }
        }
        let sequence = flow.sent.filter { !$0.isRepair }.prefix(depth).map(\.id.block)
        #expect(sequence == (0..<UInt32(depth)).map { $0 })
        if sources >= 10 {
            let ends = ended.values.sorted().dropFirst(depth)
            for (end, next) in zip(ends, ends.dropFirst()) { #expect(abs(next - end - sources) <= 2 * depth) }
            #expect(mostRepairs <= (repairs + sources - 1) / sources + 1)
        }
    }

    @Test func aWindowEndsWhenItsTimeIsUp() {
        var flow = ProtectedFlow(10, 3, depth: 2)
        flow.send(5)
        let before = flow.sent.count
        #expect(before == 5)
        flow.time += flow.windows.span
        flow.tick()
        flow.time += flow.windows.span
        flow.tick()
        let repairs = flow.sent.dropFirst(before)
        #expect(repairs.map(\.id.sourceCount).sorted() == [2, 2, 2, 3, 3, 3])
        #expect(flow.encoder.deadline == nil)
    }

    /// Of a data flow that sends seldom: a lone packet had the repairs of a whole window.
    @Test(arguments: [
        (20, 10, 1, 4), (20, 10, 3, 8), (20, 10, 5, 10), (20, 10, 20, 10), (100, 30, 13, 28), (10, 100, 1, 22),
        (1, 5, 1, 5),
    ])
    func aShortWindowHasNoMoreRepairsThanHelp(sources: Int, repairs: Int, packets: Int, expected: Int) {
        var flow = ProtectedFlow(sources, repairs)
        flow.send(packets)
        let first = flow.sent[0].time
        while let deadline = flow.encoder.deadline {
            flow.time = deadline
            flow.tick()
        }
        let times = flow.sent.filter(\.isRepair).map(\.time)
        #expect(times.count == expected)
        // Evenly, each alone.
        #expect(times == times.sorted() && Set(times).count == expected)
        #expect(times.allSatisfy { $0 - first <= flow.windows.span })
    }

    @Test func theBlockNumberWraps() {
        var flow = ProtectedFlow(2, 1, firstBlock: 0xFF_FFFE)
        flow.send(8)
        #expect(
            flow.sent.filter { !$0.isRepair }.map(\.id.block) == [
                0xFF_FFFE, 0xFF_FFFE, 0xFF_FFFF, 0xFF_FFFF, 0, 0, 1, 1,
            ])
    }

    @Test func whatCannotBeProtectedDoesNotComeOut() {
        var flow = ProtectedFlow(4, 2, octets: 64)
        flow.send(Array(repeating: 0x80, count: 62))
        flow.send(Array(repeating: 0x80, count: 11))
        #expect(flow.sent.isEmpty)
        flow.send(Array(repeating: 0x80, count: 61))
        #expect(flow.sent.count == 1)
    }

    /// A flow many times faster than its span says has its repairs at once rather than none.
    @Test func aFlowTooFastIsProtected() {
        var flow = ProtectedFlow(3, 2, depth: 4, packetsPerSecond: 100)
        for _ in 0..<600 {
            flow.send()
            flow.time = Monotonic(nanoseconds: flow.time.nanoseconds - 9_990_000)
        }
        flow.finish()
        let sources = flow.sent.count { !$0.isRepair }
        let windows = Set(flow.sent.filter { !$0.isRepair }.map(\.id.block)).count
        #expect(sources == 600 && flow.sent.count == 600 + 2 * windows)
    }

    @Test func leastSpan() {
        let windows = ProtectedFlow(100, 30, depth: 6).windows
        #expect(windows.leastSpan(packetsPerSecond: 475) == .milliseconds(1_474))
        var (large, wide, none) = (windows, windows, windows)
        large.sourcePackets = 226
        wide.symbolOctets = 2_049
        none.span = .zero
        #expect(windows.isSupported)
        #expect(!large.isSupported && !wide.isSupported && !none.isSupported)
        #expect(WindowEncoder(large) == nil && WindowRepairer(large) == nil)
    }
}
