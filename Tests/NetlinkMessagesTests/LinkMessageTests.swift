// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio
import TestSupport
import Testing

@testable import NetlinkMessages

/// What rtnetlink counts of interfaces.
@Suite struct LinkMessageTests {
    /// RTM_NEWLINK with its attributes.
    static func link(family: UInt8 = 0, flags: UInt32 = 0x1043, _ attributes: [NetlinkAttribute]) -> [UInt8] {
        var body: [UInt8] = [family, 0, 1, 0]
        body += [UInt8](native: UInt32(4)) + [UInt8](native: flags) + [0, 0, 0, 0]
        body += attributes.flatMap(\.octets)
        return [UInt8](native: UInt32(16 + body.count)) + [UInt8](native: UInt16(16)) + [UInt8](native: UInt16(2))
            + [UInt8](native: UInt32(0)) + [UInt8](native: UInt32(1)) + body
    }

    static let counters: [NetlinkAttribute] = [
        .octets(23, (1...24).flatMap { [UInt8](native: UInt64($0 * 1_000)) })
    ]
    static let wire = link(
        [
            .text(3, "eth0"), .u32(4, 1_500), .octets(1, [2, 0, 0, 0, 0, 7]), .u8(33, 1), .u32(35, 3), .u8(16, 6),
        ] + counters)

    private func parse(_ octets: [UInt8]) throws -> [LinkMessage] {
        try octets.withUnsafeBytes { bytes throws(WireError) in try LinkMessage.parse(bytes) }
    }

    @Test func wire() throws {
        let messages = try parse(Self.wire + NetlinkMessageTests.done)
        var figures = LinkFigures(index: 4, name: "eth0")
        figures.address = HardwareAddress("02:00:00:00:00:07")
        (figures.isUp, figures.hasCarrier, figures.mtu, figures.carrierChanges) = (true, true, 1_500, 3)
        figures.counters.packetsReceived = 1_000
        figures.counters.packetsSent = 2_000
        figures.counters.octetsReceived = 3_000
        figures.counters.octetsSent = 4_000
        figures.counters.receiveErrors = 5_000
        figures.counters.sendErrors = 6_000
        figures.counters.receiveDrops = 7_000
        figures.counters.sendDrops = 8_000
        figures.counters.multicastReceived = 9_000
        figures.counters.collisions = 10_000
        figures.counters.lengthErrors = 11_000
        figures.counters.overruns = 12_000
        figures.counters.checksumErrors = 13_000
        #expect(messages == [.link(figures), .done])
    }

    @Test func whatDoesNotConcernUs() throws {
        // A bridge's message about a port, an interface without a name, an address that is none of 48 bits.
        #expect(try parse(Self.link(family: 7, [.text(3, "eth0")])) == [.other])
        #expect(try parse(Self.link([.u32(4, 1_500)])) == [.other])
        #expect(
            try parse(Self.link(flags: 0, [.text(3, "ib0"), .octets(1, [UInt8](repeating: 1, count: 20))]))
                == [.link(LinkFigures(index: 4, name: "ib0"))])
        #expect(try parse(NetlinkMessageTests.refused) == [.failed(errno: 101)])
    }

    @Test func cutAnywhereNothingTraps() {
        for count in 1..<Self.wire.count {
            #expect(thrown(WireError.self) { try parse(Array(Self.wire[..<count])) } != nil, "\(count) octets")
        }
        // Counters of an older kernel, of fewer octets than are read.
        #expect(thrown(WireError.self) { try parse(Self.link([.text(3, "eth0"), .octets(23, [1, 2, 3])])) } != nil)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func damage(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            var octets = Self.wire + FamilyMessageTests.family.octets
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                octets[Int.random(in: octets.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? parse(octets)  // refusing is an answer; only a trap is not
            octets.withUnsafeBytes { bytes in
                _ = try? FamilyMessage.parse(bytes)  // as above
                _ = try? EthernetMessage.parse(bytes, family: 16)
            }
        }
    }
}

/// The controller of generic netlink, and ethtool.
@Suite struct FamilyMessageTests {
    static let family: GenericNetlinkMessage = {
        var message = GenericNetlinkMessage(
            command: 1,
            [
                .text(2, "nl80211"), .u16(1, 28),
                .nested(
                    7,
                    [
                        .nested(1, [.u32(2, 5), .text(1, "config")]), .nested(2, [.u32(2, 6), .text(1, "scan")]),
                        .nested(3, [.u32(2, 7)]),
                    ]),
            ])
        message.family = 16
        return message
    }()

    private func parse(_ octets: [UInt8]) throws -> [FamilyMessage] {
        try octets.withUnsafeBytes { bytes throws(WireError) in try FamilyMessage.parse(bytes) }
    }

    private func modes(_ attributes: [NetlinkAttribute], command: UInt8 = 4) throws -> [EthernetMessage] {
        var message = GenericNetlinkMessage(command: command, attributes)
        message.family = 21
        let octets = message.octets + NetlinkMessageTests.done
        return try octets.withUnsafeBytes { bytes throws(WireError) in
            try EthernetMessage.parse(bytes, family: 21)
        }
    }

    @Test func groupsHaveNames() throws {
        // The third group has no name.
        let expected = NetlinkFamily(number: 28, groups: ["config": 5, "scan": 6])
        #expect(try parse(Self.family.octets) == [.family(expected)])
        var other = Self.family
        other.command = 2
        #expect(try parse(other.octets) == [.other])
        other = GenericNetlinkMessage(command: 1, [.text(2, "nl80211")])
        other.family = 16
        #expect(thrown(WireError.self) { try parse(other.octets) } != nil)
    }

    @Test func cutAnywhereNothingTraps() {
        let octets = Self.family.octets
        for count in 1..<octets.count {
            #expect(thrown(WireError.self) { try parse(Array(octets[..<count])) } != nil, "\(count) octets")
        }
    }

    @Test func theQuestion() {
        // As libnl's genl-ctrl-list asks, with its sequence.
        let expected = [UInt8](
            hexadecimal: "20000000 1000 0100 07000000 00000000 | 03 01 0000 | 0c00 0200 6e6c383032313100")
        #expect(NetlinkFamily.request(name: "nl80211", sequence: 7) == expected)
    }

    @Test func speeds() throws {
        let header = NetlinkAttribute.nested(1, [.u32(1, 3), .text(2, "eth0")])
        #expect(
            try modes([header, .u32(5, 1_000), .u8(6, 1)])
                == [.modes(index: 3, speed: 1_000, duplex: .full), .done])
        #expect(
            try modes([header, .u32(5, 10), .u8(6, 0)]) == [.modes(index: 3, speed: 10, duplex: .half), .done])
        // Without a carrier.
        #expect(
            try modes([header, .u32(5, .max), .u8(6, 0xff)]) == [.modes(index: 3, speed: nil, duplex: nil), .done])
        #expect(try modes([header]) == [.modes(index: 3, speed: nil, duplex: nil), .done])
        #expect(try modes([.u32(5, 1_000)]) == [.other, .done])
        #expect(try modes([header], command: 5) == [.other, .done])
    }
}
