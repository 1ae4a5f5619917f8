// SPDX-License-Identifier: Apache-2.0

/// What a kernel tells of radios (nl80211), as Linux 6.1 does; numbers of attributes by its `nl80211.h`.
public enum RadioMessages {
    public static let ownAddress: [UInt8] = [0x02, 0, 0, 0, 0x01, 0]
    public static let accessPoint: [UInt8] = [0x02, 0, 0, 0, 0x02, 0x5a]
    public static let ssid = Array("Arena".utf8)

    /// A client that is associated, on 80 MHz of channel 36.
    public static let interface = GenericNetlinkMessage(
        command: 7,
        [
            .u32(3, 4), .text(4, "wlan0"), .u32(1, 1), .u32(5, 2),
            .u64(153, 0x1_0000_0001), .octets(6, ownAddress), .u32(46, 9), .u8(83, 0),
            .u32(38, 5_180), .u32(159, 3), .u32(160, 5_210), .s32(98, 2_000), .octets(52, ssid),
        ])

    /// Everything that is read of a station.
    public static let station = GenericNetlinkMessage(
        command: 19, [.u32(3, 4), .octets(6, accessPoint), .u32(46, 12), .nested(21, stationInfo)])

    public static let stationInfo: [NetlinkAttribute] = [
        .u32(16, 3_600), .u32(1, 20), .u32(2, 0xffff_fff0), .u32(3, 5_000),
        .u64(23, 0x1_ffff_fff0), .u64(24, 5_000), .u64(32, 1_500_000), .s8(7, -52), .s8(13, -54),
        .nested(25, [.s8(0, -53), .s8(1, -58)]), .nested(26, [.s8(0, -55), .s8(1, -60)]),
        .nested(8, [.u32(5, 8_667), .u16(1, 8_667), .flag(8), .u8(6, 9), .u8(7, 2), .flag(4)]),
        .nested(14, [.u32(5, 540), .u16(1, 540)]), .u32(9, 70_000), .u32(10, 900), .u32(11, 31), .u32(12, 2),
        .u32(27, 420_000), .u32(18, 1), .nested(15, [.flag(2), .u8(4, 2), .u16(5, 100)]),
        .octets(17, [UInt8](native: UInt32(0xbe)) + [UInt8](native: UInt32(0xaa))), .u64(28, 5), .u64(29, 35_000),
        .s8(30, -51), .u32(36, 71_000), .u32(37, 8), .u64(39, 90_000),
        .nested(31, [.nested(1, [.u64(1, 7), .u64(2, 8)])]), .u64(42, 1_000_000_000),
    ]

    public static let survey = GenericNetlinkMessage(command: 51, [.u32(3, 4), .nested(84, surveyInfo)])

    public static let surveyInfo: [NetlinkAttribute] = [
        .u32(1, 5_180), .s8(2, -92), .flag(3), .u64(4, 10_000), .u64(5, 2_500), .u64(6, 700), .u64(7, 1_200),
        .u64(8, 300), .u64(9, 50),
    ]

    /// Information elements: name, rates, load, RSN, and WMM of a vendor.
    public static let elements = [UInt8](
        hexadecimal: """
            00 05 4172656e61
            01 04 8c 12 98 24
            0b 05 1100 80 0000
            30 14 0100 000fac04 0100 000fac04 0100 000fac02 0000
            dd 07 0050f2 02 00 01 00
            """)

    /// A network that the interface is associated with.
    public static let scanResult = GenericNetlinkMessage(
        command: 34, [.u32(46, 33), .u32(3, 4), .u64(153, 0x1_0000_0001), .nested(47, network)])

    public static let network: [NetlinkAttribute] = [
        .octets(1, accessPoint), .flag(14), .u64(3, 0x1234_5678), .octets(6, elements), .u64(13, 0x1234_5678),
        .octets(11, elements), .u16(4, 100), .u16(5, 0x0511), .u32(2, 5_180), .u32(12, 0), .u32(10, 1_234),
        .u64(15, 99), .s32(7, -5_150), .u32(9, 1),
    ]

    /// The rules of a country, of which there is one.
    public static let regulatoryDomain = GenericNetlinkMessage(
        command: 31,
        [
            .text(33, "DE"), .u8(146, 2), .nested(34, [.nested(0, [.u32(98, 0), .u32(99, 2_400_000)])]),
        ])

    public static let connected = GenericNetlinkMessage(
        command: 46,
        [
            .u32(1, 1), .u32(3, 4), .octets(6, accessPoint), .u16(72, 0), .octets(77, elements),
        ]
    ).multicast

    public static let disconnected = GenericNetlinkMessage(
        command: 48, [.u32(1, 1), .u32(3, 4), .u16(54, 4), .flag(71)]
    ).multicast

    public static let channelSwitched = GenericNetlinkMessage(
        command: 88,
        [
            .u32(3, 4), .u32(38, 2_412), .u32(39, 1), .u32(159, 1), .u32(160, 2_412),
        ]
    ).multicast

    public static let signalFell = GenericNetlinkMessage(
        command: 64,
        [
            .u32(1, 1), .u32(3, 4), .nested(94, [.u32(3, 0), .s32(9, -71)]),
        ]
    ).multicast

    /// Answers to requests.
    public static let replies = [interface, station, survey, scanResult, regulatoryDomain]

    public static let events = [connected, disconnected, channelSwitched, signalFell]
}
