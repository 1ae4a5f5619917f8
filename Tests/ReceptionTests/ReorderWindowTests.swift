// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Reception

/// What came out: the payload's number, and whether something is missing in front of it.
private struct Delivered: Equatable {
    var number: UInt16
    var afterLoss: Bool
}

private struct Bench: ~Copyable {
    var window = ReorderWindow(hold: .milliseconds(25))
    var delivered: [Delivered] = []
    var now = Monotonic(nanoseconds: 1_000_000_000)

    @discardableResult
    mutating func push(_ number: UInt16) -> ReorderWindow.Verdict {
        var out: [Delivered] = []
        let verdict = withUnsafeBytes(of: number) { bytes in
            window.push(bytes, sequence: number, at: now) { payload, _, afterLoss in
                out.append(Delivered(number: payload.loadUnaligned(as: UInt16.self), afterLoss: afterLoss))
            }
        }
        delivered += out
        now += .milliseconds(1)
        return verdict
    }

    mutating func expire() {
        var out: [Delivered] = []
        window.expire(at: now) { payload, _, afterLoss in
            out.append(Delivered(number: payload.loadUnaligned(as: UInt16.self), afterLoss: afterLoss))
        }
        delivered += out
    }
}

@Test func passesWhatIsInOrder() {
    var bench = Bench()
    for number in UInt16(65_530)...65_535 { #expect(bench.push(number) == .inOrder) }
    #expect(bench.push(0) == .inOrder)
    #expect(bench.delivered.map(\.number) == Array(65_530...65_535) + [0])
    #expect(bench.window.lost == 0)
}

@Test func putsEarlyPacketsBack() {
    var bench = Bench()
    bench.push(10)
    #expect(bench.push(12) == .early)
    #expect(bench.push(13) == .early)
    #expect(bench.push(12) == .duplicate)
    #expect(bench.push(11) == .inOrder)
    #expect(bench.delivered == [10, 11, 12, 13].map { Delivered(number: $0, afterLoss: false) })
    #expect(bench.push(12) == .duplicate)
    #expect(bench.window.lost == 0)
}

@Test func givesUpAGapAfterTheHold() {
    var bench = Bench()
    bench.push(10)
    bench.push(13)
    bench.push(14)
    bench.expire()
    #expect(bench.delivered.count == 1)
    bench.now += .milliseconds(30)
    bench.expire()
    #expect(bench.window.lost == 2)
    #expect(
        bench.delivered.dropFirst() == [
            Delivered(number: 13, afterLoss: true), Delivered(number: 14, afterLoss: false),
        ])
    #expect(bench.push(11) == .late)
    #expect(bench.push(15) == .inOrder)
}

@Test func jumpsOverALongLossAtOnce() {
    var bench = Bench()
    bench.push(10)
    bench.push(12)
    #expect(bench.push(500) == .inOrder)
    #expect(bench.window.lost == 1 + 487)
    #expect(bench.delivered.map(\.number) == [10, 12, 500])
    #expect(bench.delivered.map(\.afterLoss) == [false, true, true])
}

@Test func believesARestartOnlyWithItsSuccessor() {
    var bench = Bench()
    bench.push(10)
    #expect(bench.push(40_000) == .suspect)
    #expect(bench.push(11) == .inOrder)
    #expect(bench.push(40_001) == .suspect)
    #expect(bench.push(40_002) == .restart)
    #expect(bench.push(40_003) == .inOrder)
    #expect(bench.delivered.map(\.number) == [10, 11, 40_002, 40_003])
}

/// Any order within the window, with duplicates: everything once, in order; loss equals what was never sent.
@Test(arguments: 1...100 as ClosedRange<UInt64>) func ordersAnyShuffle(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bench = Bench()
    let first = UInt16.random(in: 0...65_535, using: &random)
    bench.push(first)
    var lost = 0
    var expected: [UInt16] = [first]
    var next = first &+ 1
    for _ in 0..<50 {
        var block = (0..<UInt16(8)).map { next &+ $0 }
        next &+= 8
        if Bool.random(using: &random) {
            block.remove(at: Int.random(in: 0..<7, using: &random))  // never the last: the next block would not know
            lost += 1
        }
        expected += block
        for number in (block + [block[0]]).shuffled(using: &random) { bench.push(number) }
        bench.now += .milliseconds(30)
        bench.expire()
    }
    #expect(bench.delivered.map(\.number) == expected)
    #expect(bench.window.lost == lost)
}

/// What fills a gap late has come, for the stream's clock, no later than what was held behind it.
@Test func arrivalsGoOnInTime() {
    var window = ReorderWindow(hold: .seconds(1), places: 512, octets: 64)
    let start = Monotonic(nanoseconds: 1_000_000_000)
    var arrivals: [Int64] = []
    for (number, milliseconds) in [(10, 0), (12, 2), (14, 4), (13, 900), (11, 950), (15, 951)] as [(UInt16, Int64)] {
        withUnsafeBytes(of: number) { bytes in
            _ = window.push(bytes, sequence: number, at: start + .milliseconds(milliseconds)) { _, arrival, _ in
                arrivals.append((arrival - start).milliseconds)
            }
        }
    }
    #expect(arrivals == [0, 2, 2, 4, 4, 951] && window.lost == 0)
}

/// The gaps of a long window are given up one by one, each when its time is over, and copies of what went by are known.
@Test func aLongWindowHoldsManyGaps() {
    var window = ReorderWindow(hold: .milliseconds(500), places: 4_096, octets: 64)
    let start = Monotonic(nanoseconds: 1_000_000_000)
    var numbers: [UInt16] = []
    let push = { (window: inout ReorderWindow, number: UInt16, milliseconds: Int64) in
        withUnsafeBytes(of: number) { bytes in
            let now = start + .milliseconds(milliseconds)
            window.expire(at: now) { payload, _, _ in numbers.append(payload.loadUnaligned(as: UInt16.self)) }
            return window.push(bytes, sequence: number, at: now) { payload, _, _ in
                numbers.append(payload.loadUnaligned(as: UInt16.self))
            }
        }
    }
    let first: UInt16 = 64_000
    var expected: [UInt16] = []
    for index: UInt16 in 0..<3_000 where index % 10 != 5 {
        expected.append(first &+ index)
        _ = push(&window, first &+ index, Int64(index))
    }
    #expect(window.lost == 250)
    #expect(push(&window, first &+ 1_000, 3_000) == .duplicate)
    #expect(push(&window, first &+ 1_005, 3_000) == .late)
    window.flush { payload, _, _ in numbers.append(payload.loadUnaligned(as: UInt16.self)) }
    #expect(window.lost == 300)
    #expect(numbers == expected)
}
