// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import Radio
import TestSupport
import Testing

/// Rates as `nl80211_put_sta_rate` of the kernel writes them.
@Suite struct WirelessRateTests {
    private struct Case {
        let attributes: [NetlinkAttribute]
        let rate: BitRate
    }

    private static let cases: [Case] = [
        Case(attributes: [], rate: BitRate(value: nil, kind: .legacy)),
        // 1 Mbit/s of 802.11b, from a kernel that has only 16 bits for it.
        Case(attributes: [.u16(1, 10)], rate: BitRate(value: 10, kind: .legacy)),
        Case(attributes: [.u32(5, 70_000), .u16(1, 4_464)], rate: BitRate(value: 70_000, kind: .legacy)),
        Case(attributes: [.u16(1, 60), .flag(11)], rate: BitRate(value: 60, kind: .legacy, width: 10)),
        Case(attributes: [.u16(1, 30), .flag(12)], rate: BitRate(value: 30, kind: .legacy, width: 5)),
        Case(
            attributes: [.u32(5, 3_000), .flag(3), .u8(2, 15), .flag(4)],
            rate: BitRate(value: 3_000, kind: .ht, mcs: 15, nss: 2, width: 40, guardInterval: 400)),
        Case(
            attributes: [.u32(5, 65), .u8(2, 0)],
            rate: BitRate(value: 65, kind: .ht, mcs: 0, nss: 1, guardInterval: 800)),
        Case(
            attributes: [.flag(3), .u8(2, 32)],
            rate: BitRate(value: nil, kind: .ht, mcs: 32, nss: 1, width: 40, guardInterval: 800)),
        Case(attributes: [.u8(2, 77)], rate: BitRate(value: nil, kind: .ht, mcs: 77, guardInterval: 800)),
        Case(
            attributes: [.u32(5, 17_333), .flag(10), .u8(6, 9), .u8(7, 2), .flag(4)],
            rate: BitRate(value: 17_333, kind: .vht, mcs: 9, nss: 2, width: 160, guardInterval: 400)),
        Case(
            attributes: [.u32(5, 7_800), .flag(9), .u8(6, 9), .u8(7, 1)],
            rate: BitRate(value: 7_800, kind: .vht, mcs: 9, nss: 1, width: 160, guardInterval: 800)),
        Case(
            attributes: [.u32(5, 12_010), .flag(8), .u8(13, 11), .u8(14, 2), .u8(15, 0), .u8(16, 0)],
            rate: BitRate(value: 12_010, kind: .he, mcs: 11, nss: 2, width: 80, guardInterval: 800)),
        // A resource unit of the channel.
        Case(
            attributes: [.u32(5, 88), .u8(13, 5), .u8(14, 1), .u8(15, 2), .u8(16, 0), .u8(17, 3)],
            rate: BitRate(value: 88, kind: .he, mcs: 5, nss: 1, width: nil, guardInterval: 3_200)),
        Case(
            attributes: [.u32(5, 57_647), .flag(18), .u8(19, 13), .u8(20, 2), .u8(21, 1)],
            rate: BitRate(value: 57_647, kind: .eht, mcs: 13, nss: 2, width: 320, guardInterval: 1_600)),
        Case(
            attributes: [.u8(19, 14), .u8(20, 1), .u8(21, 9), .u8(22, 4), .u32(99, 1)],
            rate: BitRate(value: nil, kind: .eht, mcs: 14, nss: 1, width: nil)),
    ]

    @Test(arguments: cases.indices) func rates(index: Int) throws {
        let (attributes, expected) = (Self.cases[index].attributes, Self.cases[index].rate)
        let message = GenericNetlinkMessage(
            command: 19,
            [
                .u32(3, 4), .octets(6, RadioMessages.accessPoint),
                .nested(21, [.nested(8, attributes), .nested(14, attributes.reversed())]),
            ])
        guard case .station(let figures) = try message.reply() else {
            Issue.record("it is no station")
            return
        }
        #expect(figures.transmitRate == expected)
        #expect(figures.receiveRate == expected)
    }
}
