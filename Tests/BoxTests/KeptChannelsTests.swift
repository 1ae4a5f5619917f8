// SPDX-License-Identifier: Apache-2.0
import Media
import Reception
import TestSupport
import Testing
import Time
import Venue

@testable import Box

@Suite(.enabled(if: Groups.canBeJoined)) struct KeptChannelsTests {
    private static let start = Monotonic(nanoseconds: 1_000_000_000)

    private func channel(_ name: String, port: UInt16 = 21_301) -> Channel {
        Channel(
            id: .init(name), name: name,
            transport: Transport(address: "239.255.77.29", port: port, encapsulation: .rtp(payloadType: 33)))
    }

    private func receiver(_ channel: Channel) throws -> ChannelReceiver {
        try ChannelReceiver(
            channel.transport, interface: "lo", history: HistoryBuffer(span: .seconds(1), capacity: 1 << 20))
    }

    /// Whoever plays the channel again gets its receiver, in whichever region, once.
    @Test func theSameChannelIsTaken() throws {
        var kept = KeptChannels { $0.stop() }
        let receiver = try receiver(channel("A"))
        kept.keep(channel("A"), receiver, of: "main", until: Self.start, atMost: 4)
        #expect(kept.take(channel("B")) == nil)
        #expect(kept.take(channel("A", port: 21_302)) == nil, "received in another way")
        #expect(kept.take(channel("A")) === receiver)
        #expect(kept.take(channel("A")) == nil)
        receiver.stop()
    }

    @Test func oneForARegionAndABoundForAll() throws {
        var kept = KeptChannels { $0.stop() }
        for (name, region) in [("A", "main"), ("B", "second"), ("C", "second"), ("D", "third"), ("E", "fourth")] {
            kept.keep(channel(name), try receiver(channel(name)), of: region, until: Self.start, atMost: 3)
        }
        let left = ["A", "B", "C", "D", "E"].filter { name in
            guard let receiver = kept.take(channel(name)) else { return false }
            receiver.stop()
            return true
        }
        #expect(left == ["C", "D", "E"])
    }

    @Test func gone() throws {
        var kept = KeptChannels { $0.stop() }
        kept.keep(channel("A"), try receiver(channel("A")), of: "main", until: Self.start, atMost: 4)
        kept.keep(channel("B"), try receiver(channel("B")), of: "second", until: Self.start + .seconds(1), atMost: 4)
        kept.keep(channel("C"), try receiver(channel("C")), of: "third", until: Self.start + .seconds(1), atMost: 4)
        kept.expire(at: Self.start)
        #expect(kept.take(channel("A")) == nil)
        kept.drop(in: "second")
        #expect(kept.take(channel("B")) == nil)
        kept.dropAll()
        #expect(kept.take(channel("C")) == nil)
    }
}
