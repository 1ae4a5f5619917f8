// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Venue

@testable import Reception

/// Protection windows through the whole receiving side of a channel: a window is made good exactly when no more of it is
/// lost than repairs came (SVM-123), and the counters say so (SVM-113, 121…126).
struct ProtectedWindowTests {
    private struct Ledger {
        var windows = 0
        var withoutLoss = 0
        var repaired = 0
        var failed = 0
        /// Media packets of windows that could not be made good.
        var lost: Set<Int> = []

        init(sent: [ProtectedScene.Datagram], came: [ProtectedScene.Datagram]) {
            let sources = Dictionary(grouping: sent.filter { $0.part == .media }, by: { $0.block ?? 0 })
            let received = Dictionary(grouping: came, by: { $0.block ?? 0 })
            let indices = came.compactMap(\.index)
            let heard = (indices.min() ?? 0)...(indices.max() ?? 0)
            for (block, datagrams) in sources {
                let there = received[block] ?? []
                guard !there.isEmpty else {
                    let indices = datagrams.compactMap(\.index)
                    lost.formUnion(indices)
                    // Nobody knows of it but by what came before and behind it.
                    if indices.contains(where: { heard.lowerBound < $0 && $0 < heard.upperBound }) {
                        windows += 1
                        failed += 1
                    }
                    continue
                }
                windows += 1
                let missing = Set(datagrams.compactMap(\.index)).subtracting(there.compactMap(\.index))
                let repairs = Set(there.filter { $0.part == .repair }.map(\.bytes)).count
                if missing.isEmpty {
                    withoutLoss += 1
                } else if missing.count <= repairs {
                    repaired += 1
                } else {
                    failed += 1
                    lost.formUnion(missing)
                }
            }
        }
    }

    private static func windows(_ random: inout SplitMix64) -> RepairWindows {
        var windows = RepairWindows(
            endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_006),
            sourcePackets: Int.random(in: 2...80, using: &random),
            repairPackets: Int.random(in: 1...30, using: &random), depth: Int.random(in: 1...5, using: &random),
            generator: Bool.random(using: &random) ? .peers : .rfc5510, span: .milliseconds(1))
        windows.span = windows.leastSpan(packetsPerSecond: 450) + .milliseconds(30)
        return windows
    }

    /// Of 133 windows went by before their repairs were read; of 94 and 274 more packets waited than there were places.
    static let seeds = Array(Effort.seeds(30)) + (Effort.isEmulated ? [] : [94, 133, 274])

    /// Loss in bursts, of repairs too; order and copies; any k, r and depth.
    @Test(arguments: seeds) func windowsAreCountedAsTheLedgerHasIt(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let windows = Self.windows(&random)
        var scene = ProtectedScene(.windows(windows), count: 3_000, random: &random)
        scene.sendWindows(windows)
        let sent = scene.datagrams
        let (share, burst) = (Double.random(in: 0...0.15, using: &random), Double.random(in: 1...8, using: &random))
        var isBad = false
        let dropped =
            scene.drop { _ in
                let leaves = isBad ? 1 / burst : share / (1 - share) / burst
                if Double.random(in: 0..<1, using: &random) < leaves { isBad.toggle() }
                return isBad
            }[.media] ?? []
        let came = scene.datagrams
        scene.jitter(.milliseconds(8), share: 0.02, random: &random)
        let copies = scene.duplicate(0.01, random: &random)
        let outcome = scene.received(bandwidthKbps: 4_000)
        let counters = outcome.counters
        let ledger = Ledger(sent: sent, came: came)

        let payloads = try #require(scene.indices(of: outcome.payloads))
        let missing = Set(0..<scene.packets.count).subtracting(payloads)
        #expect(missing == ledger.lost && Int64(missing.count) == counters.lostPackets)
        #expect(counters.lostBeforeRepair == Int64(dropped.count))
        #expect(counters.recoveredPackets - counters.needlessRecoveries == Int64(dropped.count - missing.count))
        #expect(counters.duplicatePackets == Int64(copies) && counters.latePackets == 0)
        #expect(counters.datagrams == Int64(scene.datagrams.count))
        #expect(counters.protectionWindows == Int64(ledger.windows) && counters.windowsRefused == 0)
        #expect(counters.windowsWithoutLoss == Int64(ledger.withoutLoss))
        #expect(counters.windowsRepaired == Int64(ledger.repaired) && counters.windowsFailed == Int64(ledger.failed))
        #expect(zip(outcome.arrivals, outcome.arrivals.dropFirst()).allSatisfy { $0 <= $1 })
    }

    /// Loss of 5 % in bursts of 8 at 5 Mbit/s, 100 + 30 packets, depth 6, a play-out delay of 1.5 s: nothing is seen of it.
    @Test(arguments: Effort.seeds(3)) func burstsOfACrowdAreMadeGood(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let windows = RepairWindows(
            endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_006), sourcePackets: 100, repairPackets: 30, depth: 6,
            span: .milliseconds(1_450))
        var scene = ProtectedScene(.windows(windows), count: Effort.scaled(12_000), random: &random)
        scene.sendWindows(windows)
        var isBad = false
        let dropped =
            scene.drop { _ in
                let leaves = isBad ? 1 / 8 : 0.05 / 0.95 / 8
                if Double.random(in: 0..<1, using: &random) < leaves { isBad.toggle() }
                return isBad
            }[.media] ?? []
        let counters = scene.received(bandwidthKbps: 5_000).counters
        #expect(dropped.count > scene.packets.count / 200 && counters.lostBeforeRepair == Int64(dropped.count))
        #expect(counters.lostPackets == 0 && counters.windowsFailed == 0)
    }

    /// Who joins within a window is given nothing from before it, and nothing of that is a fault.
    @Test func whatBeganBeforeWeListenedIsNoFault() {
        var random = SplitMix64(seed: 7)
        let windows = RepairWindows(
            endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_006), sourcePackets: 20, repairPackets: 10, depth: 1,
            span: .milliseconds(200))
        var scene = ProtectedScene(.windows(windows), count: 200, random: &random)
        scene.sendWindows(windows)
        scene.datagrams.removeAll { ($0.index ?? .max) < 5 }
        let outcome = scene.received()
        #expect(outcome.payloads == scene.packets[5...].map { Array($0[12...]) })
        let counters = outcome.counters
        #expect(counters.windowsRepaired == 1 && counters.windowsFailed == 0)
        #expect(counters.latePackets == 0 && counters.lostPackets == 0 && counters.recoveredPackets == 0)
    }

    /// Without loss nothing waits for repair: what comes is there at once, less what windows add.
    @Test func withoutLossNothingIsDelayed() {
        var random = SplitMix64(seed: 5)
        let windows = Self.windows(&random)
        var scene = ProtectedScene(.windows(windows), count: 500, random: &random)
        scene.sendWindows(windows)
        let outcome = scene.received()
        #expect(outcome.payloads == scene.packets.map { Array($0[12...]) })
        #expect(outcome.arrivals == scene.packets.indices.map { ProtectedScene.time(of: $0) })
        #expect(outcome.counters.tsSkippedOctets == 0 && outcome.counters.windowsWithoutLoss > 0)
        #expect(outcome.counters.protectionWindows == outcome.counters.windowsWithoutLoss)
    }
}
