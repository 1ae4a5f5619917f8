// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import ErasureCoding

/// One named case per way in which parity and its media come.
@Suite struct ParityRepairerTests {
    /// Gives all that is sent but the lost packets.
    private func play(
        _ sent: [ParityScene.Sent], of packets: [[UInt8]], without lost: Set<Int>, into scene: ParityScene,
        flows: [ParityFlow] = ParityFlow.allCases
    ) {
        for one in sent {
            switch one {
            case .media(let index): if !lost.contains(index) { scene.media(packets[index]) }
            case .parity(let packet, let flow): if flows.contains(flow) { scene.parity(packet, flow) }
            }
        }
    }

    private func sent(_ packets: [[UInt8]], columns: Int = 5, rows: Int = 4) -> [ParityScene.Sent] {
        ParityScene.sent(packets, by: ParityEncoder(columns: columns, rows: rows))
    }

    @Test func withoutLossMediaPassesAndNothingIsMade() {
        let packets = ParityScene.packets(60)
        let scene = ParityScene()
        play(sent(packets), of: packets, without: [], into: scene)
        #expect(scene.passedOn == packets && scene.recovered.isEmpty)
        let counters = scene.repairer.counters
        #expect(counters.rowPackets == 12 && counters.columnPackets == 15 && counters.unneeded == 27)
        #expect(!scene.repairer.isWaiting && scene.isAccountedFor)
    }

    @Test func aRowBringsBackOnePacket() {
        let packets = ParityScene.packets(20)
        let scene = ParityScene()
        play(sent(packets), of: packets, without: [7], into: scene, flows: [.rows])
        #expect(scene.recovered.map(\.packet) == [packets[7]])
        #expect(scene.repairer.counters.recoveredPackets == 1 && scene.isAccountedFor)
    }

    /// As when a radio fades: columns see one loss each.
    @Test func columnsBringBackABurstABlockLate() {
        let packets = ParityScene.packets(60)
        let scene = ParityScene()
        play(sent(packets), of: packets, without: [6, 7, 8, 9, 10], into: scene, flows: [.columns])
        #expect(Set(scene.recovered.map(\.packet)) == Set(packets[6...10]))
        scene.repairer.finish()
        #expect(scene.repairer.counters.unrecoveredPackets == 0 && scene.isAccountedFor)
    }

    /// Rows alone get stuck, columns alone too; one after the other they solve all.
    @Test func rowsAndColumnsTakeTurns() {
        let packets = ParityScene.packets(40)
        let scene = ParityScene()
        // Of rows 0 1 2: two each but the last; of columns 0 1 2: two, two, one.
        play(sent(packets), of: packets, without: [0, 1, 6, 7, 12], into: scene)
        #expect(Set(scene.recovered.map(\.packet)) == Set([0, 1, 6, 7, 12].map { packets[$0] }))
    }

    @Test func aSquareOfFourStaysLostAndIsCounted() {
        let packets = ParityScene.packets(40)
        let scene = ParityScene()
        play(sent(packets), of: packets, without: [1, 2, 6, 7], into: scene)
        #expect(scene.recovered.isEmpty && scene.repairer.isWaiting)
        scene.repairer.finish()
        let counters = scene.repairer.counters
        #expect(counters.unsolved == 4 && counters.unrecoveredPackets == 4 && scene.isAccountedFor)
    }

    @Test func sequenceNumbersWrap() {
        let packets = ParityScene.packets(40, from: 65_530)
        let scene = ParityScene()
        play(sent(packets), of: packets, without: [3, 5, 6, 8], into: scene)
        #expect(Set(scene.recovered.map(\.packet)) == Set([3, 5, 6, 8].map { packets[$0] }))
    }

    @Test func firstAndLastPacketOfABlock() {
        let packets = ParityScene.packets(20)
        let scene = ParityScene()
        play(sent(packets), of: packets, without: [0, 19], into: scene)
        #expect(scene.recovered.map(\.packet) == [packets[0], packets[19]])
    }

    @Test func parityBeforeItsMedia() {
        let packets = ParityScene.packets(20)
        let scene = ParityScene()
        scene.parity(ParityScene.parity(of: packets[0..<5].map { $0 }, flow: .rows, offset: 1), .rows)
        scene.parity(ParityScene.parity(of: packets[5..<10].map { $0 }, flow: .rows, offset: 1), .rows)
        for (index, packet) in packets.enumerated() where index != 3 && index != 9 { scene.media(packet) }
        #expect(scene.recovered.map(\.packet) == [packets[3], packets[9]])
        #expect(scene.isAccountedFor)
    }

    @Test func lateMediaLetsTheOtherBeMade() {
        let packets = ParityScene.packets(20)
        let scene = ParityScene()
        // Two of a row are missing until one of them comes late.
        play(sent(packets), of: packets, without: [1, 2], into: scene, flows: [.rows])
        #expect(scene.recovered.isEmpty)
        scene.media(packets[2])
        #expect(scene.recovered.map(\.packet) == [packets[1]])
    }

    @Test func whatComesTwiceCountsOnce() {
        let packets = ParityScene.packets(20)
        let scene = ParityScene()
        for packet in packets[0..<4] {
            scene.media(packet)
            scene.media(packet)
        }
        let row = ParityScene.parity(of: packets[0..<5].map { $0 }, flow: .rows, offset: 1)
        scene.parity(row, .rows)
        scene.parity(row, .rows)
        #expect(scene.recovered.map(\.packet) == [packets[4]])
        #expect(scene.repairer.counters.unneeded == 1)
        let column = ParityScene.parity(of: packets[10..<15].map { $0 }, flow: .rows, offset: 1)
        scene.parity(column, .rows)
        scene.parity(column, .rows)
        #expect(scene.repairer.counters.unusable == 1 && scene.repairer.counters.restarts == 0 && scene.isAccountedFor)
    }

    @Test func columnsThatStandEachAtTheirOwnPlace() {
        // Not block-aligned: each column begins where it likes.
        let packets = ParityScene.packets(120)
        let scene = ParityScene()
        let lost: Set<Int> = [33, 34, 35, 36, 37, 38]
        for (index, packet) in packets.enumerated() where !lost.contains(index) { scene.media(packet) }
        for column in 0..<10 {
            let summed = (0..<8).map { packets[column * 3 + column % 7 + 10 * $0] }
            scene.parity(ParityScene.parity(of: summed, flow: .columns, offset: 10), .columns)
        }
        let sums = (0..<10).map { column in (0..<8).map { column * 3 + column % 7 + 10 * $0 } }
        let still = PeelingSolver.remainder(lost: lost, sums: sums)
        #expect(Set(scene.recovered.map(\.packet)) == Set(lost.subtracting(still).map { packets[$0] }))
        #expect(!scene.recovered.isEmpty)
    }

    @Test func sizesMayChangeAtAnyTime() {
        let packets = ParityScene.packets(100, from: 10)
        let scene = ParityScene()
        let other = ParityEncoder(columns: 10, rows: 6)
        play(sent(Array(packets[..<40])), of: packets, without: [6, 27], into: scene)
        let rest = Array(packets[40...])
        play(ParityScene.sent(rest, by: other), of: rest, without: [5, 55], into: scene)
        #expect(scene.recovered.map(\.packet) == [packets[6], packets[27], packets[45], packets[95]])
    }

    @Test func aSenderBeginsAnewWithAnotherSource() {
        let before = ParityScene.packets(30, from: 500, source: 1)
        let after = ParityScene.packets(30, from: 505, source: 2, seed: 9)
        let scene = ParityScene()
        play(sent(before), of: before, without: [22, 23], into: scene)
        play(sent(after), of: after, without: [2, 9], into: scene)
        #expect(scene.recovered.map(\.packet) == [after[2], after[9]])
        #expect(scene.repairer.counters.restarts == 1 && scene.isAccountedFor)
        #expect(scene.passedOn.count == 56)
    }

    @Test(arguments: [5_000, 60_000, 480] as [UInt16])
    func aSenderBeginsAnewWithOtherNumbers(from sequence: UInt16) {
        let before = ParityScene.packets(60, from: 500)
        let after = ParityScene.packets(60, from: sequence, seed: 9)
        let scene = ParityScene()
        play(sent(before), of: before, without: [], into: scene)
        play(sent(after), of: after, without: [27, 29], into: scene)
        let good = Set(before + after)
        #expect(scene.recovered.allSatisfy { good.contains($0.packet) })
        #expect(scene.recovered.suffix(2).map(\.packet) == [after[27], after[29]])
        #expect(scene.repairer.counters.restarts == 1 && scene.isAccountedFor)
    }

    @Test func oneStrayPacketIsNoNewSender() {
        let packets = ParityScene.packets(20)
        let scene = ParityScene()
        for (index, packet) in packets.enumerated() where index != 13 {
            scene.media(packet)
            if index == 11 { scene.media(ParityScene.packets(1, from: 3, source: 8)[0]) }
        }
        scene.parity(ParityScene.parity(of: packets[10..<15].map { $0 }, flow: .rows, offset: 1), .rows)
        #expect(scene.recovered.map(\.packet) == [packets[13]] && scene.repairer.counters.restarts == 0)
    }

    /// The clock is led by what came, never by when a repair was made.
    @Test func arrivalIsThatOfThePacketNearestBehind() {
        let packets = ParityScene.packets(10)
        let scene = ParityScene()
        var arrivals: [Int: Monotonic] = [:]
        for (index, packet) in packets.enumerated() where ![2, 3, 9].contains(index) {
            scene.media(packet)
            arrivals[index] = scene.now
        }
        scene.now += .milliseconds(50)
        scene.parity(ParityScene.parity(of: [0, 2, 4].map { packets[$0] }, flow: .columns, offset: 2), .columns)
        scene.parity(ParityScene.parity(of: [1, 3, 5].map { packets[$0] }, flow: .columns, offset: 2), .columns)
        scene.parity(ParityScene.parity(of: [7, 8, 9].map { packets[$0] }, flow: .rows, offset: 1), .rows)
        #expect(scene.recovered.map(\.arrival) == [arrivals[4], arrivals[4], arrivals[8]])
        #expect(scene.recovered.map(\.packet) == [2, 3, 9].map { packets[$0] })
    }

    @Test func timeEndsTheWait() throws {
        let packets = ParityScene.packets(20)
        let scene = ParityScene(span: .seconds(2))
        play(sent(packets), of: packets, without: [1, 2], into: scene, flows: [.rows])
        let deadline = try #require(scene.repairer.deadline)
        #expect(deadline == Monotonic(nanoseconds: 1_000_010_000) + .seconds(4))
        scene.tick(after: .seconds(3))
        #expect(scene.repairer.isWaiting)
        scene.tick(after: .seconds(2))
        #expect(!scene.repairer.isWaiting && scene.repairer.deadline == nil)
        let counters = scene.repairer.counters
        #expect(counters.unsolved == 1 && counters.unrecoveredPackets == 2 && scene.isAccountedFor)
        // What comes then is as good as ever.
        let more = Array(ParityScene.packets(30)[20...])
        play(sent(more), of: more, without: [3], into: scene)
        #expect(scene.recovered.map(\.packet) == [more[3]] && scene.repairer.counters.restarts == 0)
    }

    @Test func rowsGoneColumnsStay() {
        let packets = ParityScene.packets(60)
        let scene = ParityScene()
        play(sent(packets), of: packets, without: [0, 6, 12, 18], into: scene, flows: [.columns])
        #expect(scene.recovered.map(\.packet) == [0, 6, 12, 18].map { packets[$0] })
    }
}
