// SPDX-License-Identifier: Apache-2.0
import Testing
import Time
import Venue

struct ChannelTests {
    private static func channel(span: Nanoseconds?, skew: Nanoseconds?, delay: Nanoseconds?) -> Channel {
        var transport = Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 33))
        transport.repair = span.map { .parity(RepairParity(beside: "239.0.0.1", port: 5_004, span: $0)) }
        transport.secondPath = skew.map {
            SecondPath(endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_004), skew: $0)
        }
        return Channel(id: Channel.ID("a"), name: "A", transport: transport, playoutDelay: delay)
    }

    /// What is repaired comes before it is shown.
    @Test func theDelayIsNoLessThanRepairNeeds() {
        func delay(_ span: Int64?, _ skew: Int64?, _ said: Int64?, own: Int64) -> Int64 {
            let milliseconds = { (value: Int64) in Nanoseconds.milliseconds(value) }
            return Self.channel(
                span: span.map(milliseconds), skew: skew.map(milliseconds), delay: said.map(milliseconds)
            ).playoutDelay(else: milliseconds(own)).milliseconds
        }
        #expect(delay(nil, nil, nil, own: 200) == 200 && delay(nil, nil, 0, own: 200) == 0)
        #expect(delay(nil, nil, 400, own: 200) == 400)
        #expect(delay(1_000, nil, nil, own: 200) == 1_180 && delay(1_000, nil, nil, own: 2_000) == 2_000)
        #expect(delay(1_000, nil, 1_000, own: 200) == 1_180 && delay(1_000, nil, 1_300, own: 200) == 1_300)
        #expect(delay(nil, 450, nil, own: 200) == 630 && delay(1_000, 50, nil, own: 200) == 1_230)
    }

    private static func channel(_ sources: Int..., port: UInt16 = 5_004, repaired: Bool = false) -> Channel {
        var transport = Transport(address: "232.1.1.1", port: port, encapsulation: .raw)
        transport.source = sources.first.map { "10.0.0.\($0)" }
        transport.furtherSources = sources.dropFirst().map { "10.0.0.\($0)" }
        if repaired {
            transport.repair = .parity(
                RepairParity(beside: "232.1.1.1", port: port, source: transport.source, span: .seconds(1)))
        }
        return Channel(id: .init("a"), name: "A", transport: transport)
    }

    /// Sources may go, come and change their order; whatever else is another reception.
    @Test func sourcesOfOneReception() {
        let both = Self.channel(2, 3)
        for fewer in [both, Self.channel(3, 2), Self.channel(2), Self.channel(3)] {
            #expect(fewer.isReceived(as: both))
        }
        for others in [Self.channel(2, 4), Self.channel(3, 2, 4)] {
            #expect(!others.isReceived(as: both) && others.sharesSources(with: both))
        }
        var slow = both
        slow.playoutDelay = .seconds(1)
        for other in [Self.channel(4), Self.channel(), Self.channel(2, 3, port: 6_000), slow] {
            #expect(!other.isReceived(as: both) && !other.sharesSources(with: both))
        }
        // Repair that comes from the channel's own source changes with it, other repair does not.
        #expect(Self.channel(3, repaired: true).isReceived(as: Self.channel(2, 3, repaired: true)))
        #expect(!Self.channel(2, repaired: true).isReceived(as: both))
    }
}
