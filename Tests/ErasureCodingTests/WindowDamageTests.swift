// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Venue

@testable import ErasureCoding

/// Damaged datagrams: the identity holds (SVM-126), and nothing is made that is longer than a symbol.
@Suite struct WindowDamageTests {
    private func flow() -> ProtectedFlow {
        var flow = ProtectedFlow(8, 3, depth: 2, octets: 40)
        flow.send(64)
        flow.finish()
        return flow
    }

    @Test func everyTruncation() {
        let flow = flow()
        for place in [0, 5, flow.sent.firstIndex(where: \.isRepair) ?? 0, flow.sent.count - 1] {
            for count in 0..<flow.sent[place].bytes.count {
                var listener = Listener(flow.windows)
                for (number, datagram) in flow.sent.enumerated() where datagram.isRepair || number % 11 != 10 {
                    var heard = datagram
                    if number == place { heard.bytes = Array(heard.bytes.prefix(count)) }
                    listener.hear(heard)
                }
                listener.repairer.finish()
                listener.checkIdentity()
                #expect(listener.recovered.allSatisfy { (12...37).contains($0.count) })
            }
        }
    }

    @Test func mutations() {
        let flow = flow()
        var listener = Listener(flow.windows)
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            var random = SplitMix64(seed: seed)
            if seed % 50 == 0 { listener = Listener(flow.windows) }
            for datagram in flow.sent where Int.random(in: 0..<8, using: &random) > 0 {
                var heard = datagram
                if Int.random(in: 0..<12, using: &random) == 0 { heard.bytes = mutation.damage(heard.bytes) }
                listener.hear(heard)
            }
            listener.tick(at: flow.time + .milliseconds(Int64.random(in: 0...2_000, using: &random)))
            #expect(listener.recovered.allSatisfy { (12...37).contains($0.count) })
            listener.delivered = []
        }
        listener.repairer.finish()
        #expect(listener.counters.windows > 0)
    }

    /// A damaged source packet is handed on as it came; what is made from it is not.
    @Test func damageInAPacketSpoilsOnlyItsWindow() {
        let flow = flow()
        var listener = Listener(flow.windows)
        for datagram in flow.sent where datagram.isRepair || datagram.id.symbol != 2 {
            var heard = datagram
            if !heard.isRepair, heard.id.block == 4, heard.id.symbol == 1 { heard.bytes.insert(0x55, at: 0) }
            listener.hear(heard)
        }
        listener.repairer.finish()
        let sent = Set(flow.sent.filter { !$0.isRepair }.map(\.packet))
        #expect(listener.recovered.allSatisfy { sent.contains($0) })
    }
}
