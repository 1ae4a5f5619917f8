// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Venue

@testable import ErasureCoding

/// Show 1: with no more losses than repairs in each window the output is what was sent, otherwise it is counted (SVM-123),
/// for any k, r, depth and pattern; nothing comes out that was not sent, and every counter is the ledger's.
@Suite struct WindowRoundTripTests {
    @Test(arguments: 1...10) func anyPattern(part: Int) {
        for seed in 1...max(1, Draws.count / 10) { draw(seed: UInt64(seed * 10 + part)) }
    }

    private func draw(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let isLarge = seed % 16 == 0
        let sources = Int.random(in: 1...(isLarge ? 254 : 40), using: &random)
        let repairs = Int.random(in: 1...min(255 - sources, isLarge ? 254 : 20), using: &random)
        var flow = ProtectedFlow(
            sources, repairs, depth: Int.random(in: 1...8, using: &random),
            octets: Int.random(in: 15...90, using: &random), generator: seed % 2 == 0 ? .peers : .rfc5510,
            firstBlock: 1_000, seed: seed)
        flow.send(Int.random(in: 1...(isLarge ? 1_200 : 600), using: &random))
        flow.finish()
        check(flow, arrived: pattern(flow, &random), seed: seed, random: &random)
    }

    /// Which datagrams arrive. The first does: it says where the flow begins.
    private func pattern(_ flow: ProtectedFlow, _ random: inout SplitMix64) -> [Bool] {
        let share = Double.random(in: 0.005...0.4, using: &random)
        var loss = BurstLoss(share: share, burst: Double.random(in: 1...12, using: &random))
        var arrived = flow.sent.map { _ in !loss.loses(&random) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let places = flow.sent.indices.filter { flow.sent[$0].isRepair }
            for place in places { arrived[place] = Bool.random(using: &random) }
        case 1:
            // In each window as many as it has repairs, so that all come back.
            var left: [UInt32: Int] = [:]
            for place in flow.sent.indices {
                let block = flow.sent[place].id.block
                if !arrived[place] { left[block, default: flow.windows.repairPackets] -= 1 }
                if left[block, default: 0] < 0 { arrived[place] = true }
            }
        default: break
        }
        arrived[0] = true
        // Of an outage the ledger knows more than who hears nothing but a repair after it.
        var run = 0
        for place in arrived.indices {
            run = arrived[place] ? 0 : run + 1
            if run > 2 * flow.windows.depth * flow.windows.sourcePackets { (arrived[place], run) = (true, 0) }
        }
        return arrived
    }

    /// Some in another order or twice, none so late that its window is gone.
    private func check(_ flow: ProtectedFlow, arrived: [Bool], seed: UInt64, random: inout SplitMix64) {
        let displacement = min(20, flow.windows.sourcePackets * flow.windows.depth / 2)
        let isShuffled = seed % 3 == 0
        let places = flow.sent.indices.filter { arrived[$0] }.map { place in
            (
                place: place,
                rank: place == 0 || !isShuffled ? place : place + Int.random(in: 0...displacement, using: &random)
            )
        }.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.place)
        var listener = Listener(flow.windows)
        for place in places {
            listener.hear(flow.sent[place], at: Monotonic(nanoseconds: 0))
            if place != 0, place % 17 == 0 { listener.hear(flow.sent[place], at: Monotonic(nanoseconds: 0)) }
        }
        listener.repairer.finish()
        let ledger = WindowLedger(flow, arrived: arrived)
        #expect(listener.counters == ledger.expected, "seed \(seed)")
        #expect(Set(listener.delivered.map(\.packet)) == ledger.packets, "seed \(seed)")
        #expect(ledger.recovered.isSubset(of: listener.recovered), "seed \(seed)")
        #expect(Set(listener.recovered).count == listener.recovered.count, "seed \(seed)")
    }

    /// Every single burst that could be made good, and every one that could not.
    @Test(arguments: [(4, 2, 1), (10, 4, 3), (6, 3, 6), (3, 5, 2)])
    func everySingleBurst(sources: Int, repairs: Int, depth: Int) {
        var flow = ProtectedFlow(sources, repairs, depth: depth, octets: 24)
        flow.send(sources * depth * 3)
        flow.finish()
        let step = Draws.asked == nil ? 5 : 1
        for first in stride(from: 1, to: flow.sent.count, by: step) {
            for length in stride(from: 1, to: min(flow.sent.count - first, 3 * repairs * depth), by: step) {
                var arrived = Array(repeating: true, count: flow.sent.count)
                for place in first..<first + length { arrived[place] = false }
                var listener = Listener(flow.windows)
                for place in flow.sent.indices where arrived[place] {
                    listener.hear(flow.sent[place], at: Monotonic(nanoseconds: 0))
                }
                listener.repairer.finish()
                let ledger = WindowLedger(flow, arrived: arrived)
                #expect(listener.counters == ledger.expected, "\(length) from \(first)")
                #expect(Set(listener.delivered.map(\.packet)) == ledger.packets, "\(length) from \(first)")
            }
        }
    }
}
