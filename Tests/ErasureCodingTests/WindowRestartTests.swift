// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Venue

@testable import ErasureCoding

/// Beginning to listen, and senders that begin anew.
@Suite struct WindowRestartTests {
    private func flow(_ count: Int, firstBlock: UInt32 = 0, ssrc: UInt32 = 1, seed: UInt64 = 1) -> ProtectedFlow {
        var flow = ProtectedFlow(8, 3, depth: 2, firstBlock: firstBlock, seed: seed)
        flow.ssrc = ssrc
        flow.send(count)
        flow.finish()
        return flow
    }

    /// With another SSRC, with the same at another number, far off or near, and with the same at the same number.
    @Test(arguments: [(UInt32(0), UInt32(2)), (500_000, 1), (0x80_0000, 1), (3, 2), (0, 1)])
    func senderRestart(block: UInt32, ssrc: UInt32) {
        let first = flow(160)
        let second = flow(320, firstBlock: block, ssrc: ssrc, seed: 2)
        var listener = Listener(first.windows)
        listener.hear(first.sent)
        let before = listener.counters
        #expect(before.failed == 0 && before.unrecoveredPackets == 0)
        for datagram in second.sent where datagram.isRepair || datagram.id.symbol != 5 {
            listener.hear(datagram, at: datagram.time + .seconds(1))
        }
        listener.repairer.finish()
        let counters = listener.counters
        #expect(counters.failed == 0 && counters.refused == 0)
        let windows = Set(second.sent.map(\.id.block)).count
        #expect(counters.windows - before.windows >= windows - 5)
        #expect(Set(listener.delivered.map(\.packet)).isSubset(of: Set((first.sent + second.sent).map(\.packet))))
        let lost = second.sent.filter { !$0.isRepair && $0.id.symbol == 5 }
        let recovered = Set(listener.recovered)
        #expect(lost.dropFirst(4).allSatisfy { recovered.contains($0.packet) })
    }

    /// One packet with damaged numbers is handed on and changes nothing.
    @Test(arguments: [0, 1, 2, 5]) func oneOddPacket(octet: Int) {
        let flow = flow(160)
        var listener = Listener(flow.windows)
        for (number, datagram) in flow.sent.enumerated() {
            guard datagram.isRepair || number % 40 != 20 else {
                var odd = datagram
                odd.bytes[octet < 4 ? odd.bytes.count - 6 + octet : 8] ^= 0x40
                listener.hear(odd)
                continue
            }
            listener.hear(datagram)
        }
        listener.repairer.finish()
        #expect(listener.counters.failed == 0)
        #expect(
            Set(flow.sent.filter { !$0.isRepair }.map(\.packet)).isSubset(of: Set(listener.delivered.map(\.packet))))
    }

    /// Who begins to listen in the middle has not lost what went before.
    @Test(arguments: 0..<40) func listensFromTheMiddle(skipped: Int) {
        let flow = flow(320)
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.dropFirst(skipped))
        listener.repairer.finish()
        #expect(listener.counters.failed == 0 && listener.counters.unrecoveredPackets == 0)
        #expect(listener.counters.windows >= Set(flow.sent.map(\.id.block)).count - skipped / 11 - 3)
    }

    /// After an outage the windows that went by are counted as failed.
    @Test func outage() {
        let flow = flow(1_600)
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.filter { !(20..<180).contains($0.id.block) })
        listener.repairer.finish()
        #expect(listener.counters.failed == 160 && listener.counters.unrecoveredPackets == 160 * 8)
        #expect(Int(listener.counters.windows) == Set(flow.sent.map(\.id.block)).count)
    }

    @Test func theFlowEnds() {
        let flow = flow(44)
        var listener = Listener(flow.windows)
        listener.hear(flow.sent.prefix(10))
        #expect(listener.repairer.isWaiting && listener.repairer.deadline != nil)
        listener.repairer.finish()
        #expect(!listener.repairer.isWaiting && listener.repairer.deadline == nil)
        let counters = listener.counters
        listener.repairer.finish()
        #expect(listener.counters == counters)
    }
}
