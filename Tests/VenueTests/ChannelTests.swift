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
}
