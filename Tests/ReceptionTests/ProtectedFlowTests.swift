// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Venue

@testable import Reception

/// What repair and a second path make of losses, through the whole receiving side of a channel; and that its counters are
/// those of the network's own ledger (SVM-113, 121…126).
struct ProtectedFlowTests {
    private static func expectInOrder(_ outcome: ProtectedScene.Outcome) {
        #expect(zip(outcome.arrivals, outcome.arrivals.dropFirst()).allSatisfy { $0 <= $1 })
    }

    // MARK: Parity

    private static func parity(_ span: Nanoseconds = .milliseconds(400)) -> Repair {
        .parity(RepairParity(beside: "239.0.0.1", port: 5_004, span: span))
    }

    /// Whatever is lost, reordered or doubled: what comes out is what went in, less what is counted as lost.
    @Test(arguments: Effort.seeds(20)) func parityIsCountedAsTheLedgerHasIt(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var scene = ProtectedScene(Self.parity(), count: Effort.isEmulated ? 1_000 : 3_000, random: &random)
        scene.sendParity(columns: Int.random(in: 4...10, using: &random), rows: Int.random(in: 4...10, using: &random))
        let share = Double.random(in: 0...0.08, using: &random)
        let dropped = scene.drop { _ in Double.random(in: 0..<1, using: &random) < share }[.media] ?? []
        scene.jitter(.milliseconds(12), share: 0.02, random: &random)
        let copies = scene.duplicate(0.01, random: &random)
        let outcome = scene.received(bandwidthKbps: 5_000)
        let counters = outcome.counters

        let came = try #require(scene.indices(of: outcome.payloads))
        let missing = Set(0..<scene.packets.count).subtracting(came)
        #expect(missing.isSubset(of: dropped) && Int64(missing.count) == counters.lostPackets)
        #expect(counters.lostBeforeRepair == Int64(dropped.count))
        #expect(counters.recoveredPackets - counters.needlessRecoveries == Int64(dropped.count - missing.count))
        #expect(counters.duplicatePackets == Int64(copies) && counters.latePackets == 0)
        #expect(counters.reorderedPackets == Int64(scene.reordered()))
        #expect(counters.datagrams == Int64(scene.datagrams.count))
        let repairs = scene.datagrams.filter { !$0.part.isMedia }
        #expect(counters.repairDatagrams == Int64(repairs.count) && counters.malformedRepair == 0)
        #expect(counters.parityColumns + counters.parityRows == Int64(repairs.count))
        Self.expectInOrder(outcome)
    }

    @Test(arguments: Effort.seeds(10)) func oneLossOfARowIsAlwaysMadeGood(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var scene = ProtectedScene(Self.parity(), count: 2_000, random: &random)
        scene.sendParity(columns: 5, rows: 10)
        let dropped = scene.drop { $0.index.map { $0 % 5 == ($0 / 5) % 5 } ?? false }[.media] ?? []
        let outcome = scene.received()
        #expect(dropped.count > 300 && outcome.counters.lostPackets == 0)
        #expect(outcome.payloads == scene.packets.map { Array($0[12...]) })
        #expect(outcome.counters.recoveredPackets == Int64(dropped.count))
        Self.expectInOrder(outcome)
    }

    /// Repair that comes when its place has been given up changes nothing.
    @Test func repairThatComesTooLateIsNone() throws {
        var random = SplitMix64(seed: 3)
        var scene = ProtectedScene(Self.parity(.milliseconds(100)), count: 1_000, random: &random)
        scene.sendParity(columns: 5, rows: 10)
        for place in scene.datagrams.indices where !scene.datagrams[place].part.isMedia {
            scene.datagrams[place].time += .seconds(2)
        }
        let dropped = scene.drop { $0.index.map { $0 % 50 == 7 } ?? false }[.media] ?? []
        let outcome = scene.received()
        #expect(outcome.counters.recoveredPackets == 0 && outcome.counters.lostPackets == Int64(dropped.count))
        let came = try #require(scene.indices(of: outcome.payloads))
        #expect(Set(0..<scene.packets.count).subtracting(came) == dropped)
    }

    // MARK: Two paths

    /// Outages that take turns, and random loss where the other path is whole: nothing is lost.
    @Test(arguments: Effort.seeds(20)) func whatOnePathLosesTheOtherBrings(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let skew = Nanoseconds.milliseconds(Int64.random(in: 0...50, using: &random))
        let path = SecondPath(endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_004))
        var scene = ProtectedScene(nil, secondPath: path, count: Effort.isEmulated ? 1_000 : 4_000, random: &random)
        let isSecondBehind = Bool.random(using: &random)
        scene.send(by: .media, delayed: isSecondBehind ? .zero : skew)
        scene.send(by: .secondPath, delayed: isSecondBehind ? skew : .zero)
        // An outage of one path never meets one of the other, nor the copy that comes later.
        let turn = Int.random(in: 40...400, using: &random)
        let dropped = scene.drop { datagram in
            guard let index = datagram.index else { return false }
            let isOut = (index / turn).isMultiple(of: 2) == (datagram.part == .media)
            return isOut && (index % turn < turn / 2 || Bool.random(using: &random))
        }
        let outcome = scene.received()
        let counters = outcome.counters
        #expect(outcome.payloads == scene.packets.map { Array($0[12...]) })
        #expect(counters.lostPackets == 0 && counters.recoveredPackets == 0 && counters.duplicatePackets == 0)
        #expect(counters.lostByFirstPath == Int64(dropped[.media]?.count ?? 0))
        #expect(counters.lostBySecondPath == Int64(dropped[.secondPath]?.count ?? 0))
        #expect(counters.datagrams == Int64(scene.datagrams.count) && counters.latePackets == 0)
        Self.expectInOrder(outcome)
    }

    /// What both lose is lost, and counted for each.
    @Test func whatBothPathsLoseIsLost() {
        var random = SplitMix64(seed: 9)
        let path = SecondPath(endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_004), skew: .milliseconds(10))
        var scene = ProtectedScene(nil, secondPath: path, count: 2_000, random: &random)
        scene.send(by: .media)
        scene.send(by: .secondPath, delayed: .milliseconds(8))
        let dropped = scene.drop { $0.index.map { $0 % 40 == 0 || $0 % 100 == ($0 / 100 % 40) } ?? false }
        let counters = scene.received().counters
        #expect(counters.lostPackets == Int64(dropped[.media]?.count ?? 0) && counters.lostPackets > 40)
        #expect(counters.lostByFirstPath == counters.lostPackets && counters.lostBySecondPath == counters.lostPackets)
    }

    /// A sender that begins anew is followed by both paths, though one still brings what was before.
    @Test(arguments: Effort.seeds(10)) func aRestartIsOneOfBothPaths(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let path = SecondPath(endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_004))
        var scene = ProtectedScene(nil, secondPath: path, count: 600, restart: 300, random: &random)
        scene.send(by: .media)
        scene.send(by: .secondPath, delayed: .milliseconds(Int64.random(in: 1...50, using: &random)))
        let outcome = scene.received()
        #expect(outcome.counters.sequenceRestarts == 1 && outcome.counters.lostPackets == 0)
        // The first packet behind the jump is believed only when its successor follows.
        var expected = scene.packets.map { Array($0[12...]) }
        expected.remove(at: 300)
        #expect(outcome.payloads == expected)
        #expect(outcome.counters.lostByFirstPath == 0 && outcome.counters.lostBySecondPath == 0)
        #expect(outcome.counters.duplicatePackets == 0)
    }

    /// Rule 11: the same datagrams of the same parts at the same times give the same counters and history.
    @Test func aLogOfAllPartsReplaysAlike() throws {
        var random = SplitMix64(seed: 17)
        let path = SecondPath(endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_004))
        var scene = ProtectedScene(Self.parity(), secondPath: path, count: 800, random: &random)
        scene.sendParity(columns: 5, rows: 5)
        scene.send(by: .secondPath, delayed: .milliseconds(7))
        _ = scene.drop { _ in Int.random(in: 0..<5, using: &random) == 0 }
        let log = scene.log
        let (first, second) = (try scene.replayed(log), try scene.replayed(log))
        #expect(first.counters == second.counters && first.arrivals == second.arrivals)
        #expect(first.counters.recoveredPackets > 0 && first.payloads == second.payloads)
    }

    // MARK: Sizes

    @Test func theWindowIsAsLargeAsRepairNeeds() throws {
        var transport = Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 33))
        #expect(FlowProtection(transport, bandwidthKbps: 5_000) == nil)
        transport.repair = Self.parity(.milliseconds(1_500))
        let known = try #require(FlowProtection(transport, bandwidthKbps: 20_000))
        #expect(known.places == 8_192 && known.hold == .milliseconds(1_525) && known.octets == 1_500)
        #expect(FlowProtection(transport, bandwidthKbps: 0)?.places == 4_096)
        #expect(FlowProtection(transport, bandwidthKbps: 64)?.places == 512)
        #expect(FlowProtection(transport, bandwidthKbps: 10_000_000)?.places == 16_384)
        transport.secondPath = SecondPath(endpoint: FlowEndpoint(address: "239.0.0.2", port: 1))
        #expect(FlowProtection(transport, bandwidthKbps: 0)?.hold == .milliseconds(1_575))
    }
}
