// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Venue

@testable import ErasureCoding

/// The loss patterns that have a name (SVM-113, 121…126).
@Suite struct WindowRepairerTests {
    /// Three windows of eight packets with three repairs each, in order.
    private func threeWindows() -> ProtectedFlow {
        var flow = ProtectedFlow(8, 3, firstBlock: 70)
        flow.send(24)
        flow.finish()
        return flow
    }

    private func sources(_ flow: ProtectedFlow) -> [[UInt8]] { flow.sent.filter { !$0.isRepair }.map(\.packet) }

    @Test func withoutLossNothingIsDelayed() {
        let flow = threeWindows()
        var listener = Listener(flow.windows)
        for datagram in flow.sent {
            let before = listener.delivered.count
            listener.hear(datagram)
            #expect(listener.delivered.count == before + (datagram.isRepair ? 0 : 1))
        }
        #expect(listener.delivered.map(\.packet) == sources(flow))
        #expect(listener.delivered.allSatisfy { !$0.isRecovered })
        #expect(listener.counters.windows == 3 && listener.counters.withoutLoss == 3)
        #expect(!listener.repairer.isWaiting)
    }

    /// The first packet of a window, the last, and as many as there are repairs.
    @Test(arguments: [[0], [7], [0, 7], [2, 3, 4], [0, 1, 2], [5, 6, 7]])
    func lostPacketsComeBack(symbols: [Int]) {
        let flow = threeWindows()
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter { $0.isRepair || $0.id.block != 71 || !symbols.contains($0.id.symbol) })
        let lost = flow.sent.filter { !$0.isRepair && $0.id.block == 71 && symbols.contains($0.id.symbol) }
        #expect(listener.recovered == lost.map(\.packet))
        #expect(listener.counters.withoutLoss == 2 && listener.counters.windows == 2)  // one may still hear them
        listener.tick(at: flow.time + flow.windows.span)
        #expect(listener.counters.repaired == 1 && listener.counters.recoveredPackets == Int64(symbols.count))
        #expect(listener.repairer.deadline == nil)
    }

    /// The time of a recovered packet is that of the packet after it, at the end that of the packet before it.
    @Test func arrivalOfARecoveredPacket() {
        let flow = threeWindows()
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter { $0.isRepair || $0.id.block != 71 || ![2, 3, 7].contains($0.id.symbol) })
        let times = flow.sent.filter { !$0.isRepair && $0.id.block == 71 }.map(\.time)
        #expect(listener.delivered.filter(\.isRecovered).map(\.arrival) == [times[4], times[4], times[6]])
    }

    @Test func moreLossesThanRepairs() {
        let flow = threeWindows()
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter { $0.isRepair || $0.id.block != 71 || $0.id.symbol > 3 })
        #expect(listener.recovered.isEmpty && listener.repairer.isWaiting)
        listener.tick(at: flow.time + flow.windows.span)
        #expect(listener.counters.failed == 1 && listener.counters.unrecoveredPackets == 4)
        #expect(listener.delivered.count == 20)
    }

    @Test func allRepairsLost() {
        let flow = threeWindows()
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter { $0.id.block != 71 || !$0.isRepair && $0.id.symbol != 5 })
        listener.tick(at: flow.time + flow.windows.span)
        #expect(listener.counters.failed == 1 && listener.counters.unrecoveredPackets == 1)
        #expect(listener.counters.withoutLoss == 2)
    }

    /// A lost repair matters only when as many were needed.
    @Test func someRepairsLost() {
        let flow = threeWindows()
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter { $0.isRepair ? $0.id.symbol == 10 : $0.id != flow.sent[3].id })
        #expect(listener.recovered == [flow.sent[3].packet])
    }

    @Test func repairBeforeMedia() {
        let flow = threeWindows()
        let lost = flow.sent.first { $0.id.block == 71 && $0.id.symbol == 2 }
        for order in [true, false] {
            var listener = Listener(flow.windows)
            let second = flow.sent.filter { $0.id.block == 71 && $0.id != lost?.id }
            listener.hear(flow.sent.filter { $0.id.block == 70 })
            listener.hear(second.filter { $0.isRepair == order })
            listener.hear(second.filter { $0.isRepair != order })
            #expect(listener.recovered.first == lost?.packet)
            #expect(Set(listener.delivered.map(\.packet)).count == 16 && listener.delivered.count == 16)
            listener.repairer.finish()
            #expect(listener.counters.recoveredPackets == 1)
        }
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter(\.isRepair) + flow.sent.filter { !$0.isRepair })
        #expect(Set(listener.delivered.map(\.packet)) == Set(sources(flow)))
    }

    /// What was made again and then comes was late, not lost: handed on once, and counted as no loss.
    @Test func late() {
        let flow = threeWindows()
        let late = flow.sent.first { $0.id.block == 71 && $0.id.symbol == 6 }
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter { $0.id != late?.id })
        #expect(listener.recovered == [late?.packet])
        if let late { listener.hear(late) }
        #expect(listener.delivered.count == 24)
        #expect(listener.counters.withoutLoss == 3 && listener.counters.recoveredPackets == 0)
    }

    /// After its window's time a packet is handed on, and counts for nothing.
    @Test func tooLate() {
        let flow = threeWindows()
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter { $0.id.block != 71 || $0.id.symbol < 4 && !$0.isRepair })
        let over = flow.time + flow.windows.span
        listener.tick(at: over)
        #expect(listener.counters.failed == 1)
        for datagram in flow.sent where datagram.id.block == 71 { listener.hear(datagram, at: over) }
        #expect(listener.counters.windows == 3 && listener.counters.failed == 1 && listener.recovered.isEmpty)
        #expect(listener.delivered.count == 20 + 8)
    }

    @Test func duplicates() {
        let flow = threeWindows()
        var listener = Listener(flow.windows)
        for datagram in flow.sent where datagram.isRepair || datagram.id.symbol != 3 {
            listener.hear([datagram, datagram])
        }
        #expect(listener.recovered.count == 3)
        #expect(listener.delivered.count == 3 + 2 * 21)
        listener.repairer.finish()
        #expect(listener.counters.windows == 3 && listener.counters.repaired == 3)
        #expect(listener.counters.recoveredPackets == 3)
    }

    /// A window of which nothing came is seen by the numbers around it.
    @Test func aWholeWindowLost() {
        let flow = threeWindows()
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter { $0.id.block != 71 })
        listener.tick(at: flow.time + flow.windows.span)
        #expect(listener.counters.windows == 3 && listener.counters.failed == 1)
        #expect(listener.counters.unrecoveredPackets == 8)
    }

    @Test(arguments: [(9, 3, 64), (8, 4, 64), (8, 3, 80), (200, 40, 64)])
    func windowTooBig(sources: Int, repairs: Int, octets: Int) {
        var flow = ProtectedFlow(sources, repairs, octets: octets)
        for _ in 0..<2 * sources { flow.send(flow.packet(octets: octets - 3)) }
        flow.finish()
        let announced = ProtectedFlow(8, 3, octets: 64).windows
        var listener = Listener(announced)
        // With a loss each, so that the windows wait for repairs.
        listener.hear(flow.sent.filter { $0.isRepair || $0.id.symbol != 4 })
        listener.tick(at: flow.time + .seconds(10))
        #expect(listener.counters.windows == 2 && listener.counters.refused == (repairs == 4 ? 0 : 2))
        #expect(listener.delivered.count { !$0.isRecovered } == 2 * sources - 2)
        #expect(listener.counters.oversized == (sources > 192 ? 2 : 0))
    }

    @Test func aRepairBeyondThoseAnnounced() {
        var flow = ProtectedFlow(8, 4)
        flow.send(8)
        flow.finish()
        var listener = Listener(ProtectedFlow(8, 3).windows)
        listener.hear(flow.sent.filter { $0.isRepair ? $0.id.symbol == 11 : $0.id.symbol != 4 })
        #expect(listener.counters.refused == 1 && listener.counters.windows == 1)
        #expect(listener.recovered.isEmpty)
    }

    @Test func moreThanAdvised() {
        var flow = ProtectedFlow(170, 23, octets: 64)
        flow.send(170)
        var listener = Listener(flow.windows)
        listener.hear(flow.sent)
        #expect(listener.counters.oversized == 1 && listener.counters.withoutLoss == 1)
    }

    /// Short windows: what they lack of what was planned is nothing lost.
    @Test func lengthChanges() {
        var flow = ProtectedFlow(8, 3)
        for count in [8, 1, 5, 7, 8] {
            flow.send(count)
            flow.finish()
        }
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter { $0.isRepair || $0.id.symbol != 0 || $0.id.block == 0 })
        listener.repairer.finish()
        #expect(listener.counters.windows == 5 && listener.counters.repaired == 4)
        #expect(listener.counters.recoveredPackets == 4)
        #expect(Set(listener.delivered.map(\.packet)) == Set(sources(flow)))
    }

    @Test(arguments: [1, 3]) func wrap(depth: Int) {
        var flow = ProtectedFlow(8, 3, depth: depth, firstBlock: 0xFF_FFFA)
        flow.send(8 * depth * 20)
        flow.finish()
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter { $0.isRepair || $0.id.symbol % 5 != 2 })
        listener.repairer.finish()
        #expect(listener.counters.failed == 0 && listener.counters.unrecoveredPackets == 0)
        #expect(Set(listener.delivered.map(\.packet)) == Set(sources(flow)))
    }
}
