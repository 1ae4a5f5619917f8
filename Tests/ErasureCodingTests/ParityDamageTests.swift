// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import ErasureCoding

/// Parity that says what is not so: nothing corrupt comes out, and it is counted.
@Suite struct ParityDamageTests {
    private let packets = ParityScene.packets(40, from: 100)
    private var row: [UInt8] { ParityScene.parity(of: Array(packets[0..<5]), flow: .rows, offset: 1) }

    private func scene(without lost: Set<Int>) -> ParityScene {
        let scene = ParityScene()
        for (index, packet) in packets.enumerated() where !lost.contains(index) { scene.media(packet) }
        return scene
    }

    @Test func everyTruncationIsMalformedOrUnusable() {
        for count in 0..<row.count {
            let scene = scene(without: [2])
            scene.parity(Array(row.prefix(count)), .rows)
            #expect(scene.recovered.isEmpty && scene.isAccountedFor)
            let counters = scene.repairer.counters
            #expect(counters.malformed == (count < ParityHeader.size ? 1 : 0))
            #expect(counters.unusable == (count < ParityHeader.size ? 0 : 1))
        }
    }

    /// Length, payload type, time stamp, contributors, and what lies behind the length.
    @Test(arguments: [(14, 0x40), (15, 0x01), (16, 0x04), (20, 0x20), (0, 0x0F)] as [(Int, UInt8)])
    func whatIsNoPacketOfTheFlowIsNotMade(at index: Int, flipped bits: UInt8) {
        let short = packets.map { Array($0.prefix(50)) }
        let scene = ParityScene()
        for (index, packet) in short.enumerated() where index != 2 { scene.media(packet) }
        var parity = ParityScene.parity(of: Array(short[0..<5]), flow: .rows, offset: 1)
        parity[index] ^= bits
        scene.parity(parity, .rows)
        #expect(scene.recovered.isEmpty && scene.repairer.counters.unusable == 1)
    }

    @Test func shorterThanWhatItSumsIsALie() {
        let scene = scene(without: [2])
        scene.parity(
            ParityScene.parity(of: packets[0..<5].map { Array($0.prefix(100)) }, flow: .rows, offset: 1), .rows)
        #expect(scene.recovered.isEmpty && scene.repairer.counters.unusable == 1)
    }

    @Test func tooLongTooFarAndTooOldAreUnusable() {
        let scene = scene(without: [])
        let long = row + [UInt8](repeating: 0, count: 1_400)
        var ahead = row
        ahead[12] = 0x7F
        var before = row
        before[12] = 0xF0
        for parity in [long, ahead, before] { scene.parity(parity, .rows) }
        #expect(scene.repairer.counters.unusable == 3 && scene.isAccountedFor)
    }

    /// The sums of such a flow do not come out where nothing is lost, so they are not used where something is.
    @Test func aFlowThatLiesIsShutOff() {
        let many = ParityScene.packets(400, from: 100)
        let scene = ParityScene()
        var corrupt = 0
        for start in stride(from: 0, to: 400, by: 5) {
            let isLossy = start >= 100
            for index in start..<start + 5 where !(isLossy && index == start + 1) { scene.media(many[index]) }
            // Says five, sums three.
            var lie = ParityScene.parity(of: Array(many[start..<start + 3]), flow: .rows, offset: 1)
            lie[26] = 5
            scene.parity(lie, .rows)
            corrupt += scene.recovered.count
        }
        #expect(corrupt == 0 && scene.repairer.counters.unusable == 80 && scene.isAccountedFor)
    }

    @Test func aFlowThatIsDamagedNowAndThenIsUsed() {
        let many = ParityScene.packets(1_000, from: 100)
        let scene = ParityScene()
        for start in stride(from: 0, to: 1_000, by: 5) {
            let isLossy = start % 20 == 15
            for index in start..<start + 5 where !(isLossy && index == start + 1) { scene.media(many[index]) }
            var parity = ParityScene.parity(of: Array(many[start..<start + 5]), flow: .rows, offset: 1)
            if start % 100 == 0 { parity[100] ^= 1 }
            scene.parity(parity, .rows)
        }
        let missing = stride(from: 16, to: 1_000, by: 20).map { many[$0] }
        #expect(scene.recovered.map(\.packet) == missing)
    }

    @Test func moreParityThanIsKeptDrivesOutTheOldest() {
        let scene = ParityScene(packets: 64)
        let many = ParityScene.packets(200, from: 0)
        for packet in many[100..<110] { scene.media(packet) }
        for index in 0..<60 {
            let pair = [many[111 + index / 8], many[112 + index / 8 + index % 8]]
            scene.parity(
                ParityScene.parity(of: pair, flow: .columns, offset: UInt8(index % 8 + 1)), .columns)
        }
        #expect(scene.repairer.waitingParity <= 32 && scene.isAccountedFor)
        #expect(scene.repairer.counters.unsolved > 0)
    }

    @Test func mutationsNeverTrap() {
        for seed in 1...UInt64(Mutation.count(usual: 400)) {
            var random = SplitMix64(seed: seed)
            var mutation = Mutation(seed: seed)
            let few = Array(ParityScene.packets(60, from: 65_510).map { Array($0.prefix(80)) })
            let scene = ParityScene(packets: 64)
            for one in ParityScene.sent(few, by: ParityEncoder(columns: 4, rows: 4)) {
                let isDamaged = Int.random(in: 0..<4, using: &random) == 0
                guard Int.random(in: 0..<10, using: &random) > 0 else { continue }
                switch one {
                case .media(let index): scene.media(isDamaged ? mutation.damage(few[index]) : few[index])
                case .parity(let packet, let flow): scene.parity(isDamaged ? mutation.damage(packet) : packet, flow)
                }
                if Int.random(in: 0..<20, using: &random) == 0 { scene.tick(after: .milliseconds(300)) }
            }
            scene.repairer.finish()
            #expect(scene.isAccountedFor && scene.repairer.waitingParity == 0, "seed \(seed)")
        }
    }
}
