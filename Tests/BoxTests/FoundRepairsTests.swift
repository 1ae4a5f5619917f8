// SPDX-License-Identifier: Apache-2.0
import Testing
import Time
import Venue

@testable import Box

struct FoundRepairsTests {
    private static func channel(_ name: String = "One", port: UInt16 = 5_004, repair: Repair? = nil) -> Channel {
        var transport = Transport(address: "239.1.1.1", port: port, encapsulation: .rtp(payloadType: 33))
        transport.repair = repair
        return Channel(id: Channel.ID(name), name: name, transport: transport)
    }

    private static var parity: RepairParity {
        var parity = RepairParity(beside: "239.1.1.1", port: 5_004, span: .milliseconds(700))
        parity.isFound = true
        return parity
    }

    /// The channel is received, and presented, as if the settings had said it; whatever its name is by then.
    @Test func aChannelIsCompleted() {
        var found = FoundRepairs()
        #expect(found[Self.channel()] == nil && found.completing(Self.channel()) == Self.channel())
        found.remember(Self.parity, of: Self.channel())
        let completed = found.completing(Self.channel("Other"))
        #expect(completed.transport.repair == .parity(Self.parity))
        #expect(completed.playoutDelay(else: .milliseconds(200)) == .milliseconds(880))
        #expect(Channel.longestHold(within: .milliseconds(880)) == .milliseconds(725))
        #expect(found.completing(Self.channel(port: 5_006)) == Self.channel(port: 5_006))
        found.forget(Self.channel())
        #expect(found[Self.channel()] == nil)
    }

    @Test func whatIsAnnouncedGoesBefore() {
        var found = FoundRepairs()
        found.remember(Self.parity, of: Self.channel())
        let told = Self.channel(repair: .parity(RepairParity(columns: nil, rows: nil, span: .seconds(2))))
        #expect(found[told] == nil && found.completing(told) == told)
    }

    @Test func itIsBounded() {
        var found = FoundRepairs()
        for port in 1...2_000 as ClosedRange<UInt16> { found.remember(Self.parity, of: Self.channel(port: port)) }
        #expect(Self.count(of: found) == 256)
        found.forgetAll()
        #expect(Self.count(of: found) == 0)
    }

    private static func count(of found: FoundRepairs) -> Int {
        let ports: ClosedRange<UInt16> = 1...2_000
        return ports.filter { found[channel(port: $0)] != nil }.count
    }
}
