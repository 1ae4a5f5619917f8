// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import ErasureCoding

/// "Shows 2" of the fourth step, without a network: whatever the solver calls solvable comes out, and nothing else does.
@Suite struct ParityRoundTripTests {
    @Test(arguments: Effort.seeds(200))
    func bringsBackWhatCanBe(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let columns = Int.random(in: 4...20, using: &random)
        let rows = Int.random(in: 4...max(4, min(20, 100 / columns)), using: &random)
        run(columns: columns, rows: rows, packets: 1_024, random: &random, seed: seed)
    }

    @Test(arguments: Effort.seeds(20))
    func bringsBackWhatCanBeOfLargeBlocksAndOdd(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ 1_000)
        let columns = Int.random(in: 1...60, using: &random)
        let rows = Int.random(in: 1...min(255, 1_500 / columns), using: &random)
        run(columns: columns, rows: rows, packets: 4_096, random: &random, seed: seed)
    }

    private func run(columns: Int, rows: Int, packets kept: Int, random: inout SplitMix64, seed: UInt64) {
        let block = columns * rows
        let first = UInt16.random(in: 0 ... .max, using: &random)
        let packets = ParityScene.packets(
            3 * block + Int.random(in: 0..<block, using: &random), from: first, isVaried: Bool.random(using: &random),
            seed: seed)
        let encoder = ParityEncoder(
            columns: columns, rows: rows, withRows: Int.random(in: 0..<4, using: &random) > 0,
            timing: Bool.random(using: &random) ? .overNextBlock : .atBlockEnd)
        let sent = ParityScene.sent(packets, by: encoder)
        let losses = Losses(random: &random)
        var arrived: [(time: Int, what: ParityScene.Sent)] = []
        var lost = Set<Int>()
        var sums: [[Int]] = []
        var state = losses
        for (time, one) in sent.enumerated() {
            let isLost = state.next(&random)
            switch one {
            case .media(let index):
                if isLost { lost.insert(index) } else { arrived.append((time + late(3, &random), one)) }
            case .parity(let packet, _):
                if isLost { continue }
                sums.append(ParityScene.summed(by: packet, firstSequence: first))
                arrived.append((time + late(block / 2, &random), one))
            }
        }
        arrived.sort { $0.time < $1.time }

        let scene = ParityScene(packets: kept)
        for (_, one) in arrived {
            switch one {
            case .media(let index): scene.media(packets[index])
            case .parity(let packet, let flow): scene.parity(packet, flow)
            }
        }
        scene.repairer.finish()
        let stillLost = PeelingSolver.remainder(lost: lost, sums: sums)
        let note: Comment = "seed \(seed): \(columns) × \(rows), \(lost.count) lost, \(stillLost.count) for good"
        // What is only late may be made before it comes.
        let made = scene.recovered.map { index($0.packet, first) }
        #expect(lost.intersection(made) == lost.subtracting(stillLost), note)
        #expect(Set(made).count == made.count, note)
        #expect(scene.recovered.allSatisfy { packets[index($0.packet, first)] == $0.packet }, note)
        let counters = scene.repairer.counters
        #expect(scene.isAccountedFor && scene.repairer.waitingParity == 0, note)
        #expect(counters.malformed == 0 && counters.unusable == 0 && counters.restarts == 0, note)
        #expect(scene.passedOn.count == packets.count - lost.count, note)
        // Counted is what was covered, between the first packet that came and the last.
        let there = Set(packets.indices).subtracting(stillLost)
        let began = scene.passedOn.first.map { index($0, first) } ?? 0
        let covered = Set(sums.joined()).intersection(stillLost).filter { $0 > began && $0 < there.max() ?? 0 }
        #expect(counters.unrecoveredPackets == Int64(covered.count), note)
    }

    private func index(_ packet: [UInt8], _ first: UInt16) -> Int {
        Int((UInt16(packet[2]) << 8 | UInt16(packet[3])) &- first)
    }

    /// Mostly in time.
    private func late(_ most: Int, _ random: inout SplitMix64) -> Int {
        Int.random(in: 0..<4, using: &random) > 0 ? 0 : Int.random(in: 0...most, using: &random)
    }

    /// Gilbert's channel; one at a time when bursts are one long.
    private struct Losses {
        private let begins: Double
        private let ends: Double
        private var isBad = false

        init(random: inout SplitMix64) {
            let shares: [Double] = [0.005, 0.02, 0.05, 0.1, 0.2]
            let bursts: [Double] = [1, 1, 3, 8, 20]
            let share = shares.randomElement(using: &random) ?? 0
            ends = 1 / (bursts.randomElement(using: &random) ?? 1)
            begins = share * ends / (1 - share)
        }

        mutating func next(_ random: inout SplitMix64) -> Bool {
            let chance = Double.random(in: 0..<1, using: &random)
            isBad = isBad ? chance >= ends : chance < begins
            return isBad
        }
    }
}
