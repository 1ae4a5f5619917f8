// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import Radio
import TestSupport
import Testing

/// SVM-127: what the kernel answers about radios.
@Suite struct WirelessReplyTests {
    private let accessPoint = HardwareAddress("02:00:00:00:02:5a")

    @Test func interface() throws {
        var expected = RadioInterface(
            index: 4, name: "wlan0", wiphy: 1, mode: .station, address: HardwareAddress("02:00:00:00:01:00"))
        expected.ssid = Array("Arena".utf8)
        expected.channel = RadioChannel(controlFrequency: 5_180, width: 80, centreFrequency: 5_210)
        expected.transmitPower = 20
        #expect(try RadioMessages.interface.reply() == .interface(expected))
        #expect(expected.channel?.number == 36)
    }

    /// A peer-to-peer device has a radio and nothing else; a name may be no text.
    @Test func otherInterfaces() throws {
        let device = GenericNetlinkMessage(command: 7, [.u32(1, 0), .u32(5, 10)])
        let expected = RadioInterface(index: nil, name: nil, wiphy: 0, mode: .other(10))
        #expect(try device.reply() == .interface(expected))
        let point = GenericNetlinkMessage(
            command: 7, [.u32(1, 0), .u32(5, 3), .octets(52, [0xff, 0, 0x41]), .s32(98, -150)])
        var pointExpected = RadioInterface(index: nil, name: nil, wiphy: 0, mode: .accessPoint)
        pointExpected.ssid = [0xff, 0, 0x41]
        pointExpected.transmitPower = -2
        #expect(try point.reply() == .interface(pointExpected))
        let long = GenericNetlinkMessage(command: 7, [.u32(1, 0), .octets(52, Array(repeating: 0x41, count: 33))])
        #expect(try long.reply() == .interface(RadioInterface(index: nil, name: nil, wiphy: 0)))
    }

    /// By `enum nl80211_chan_width`.
    @Test func widths() throws {
        let widths: [Int?] = [20, 20, 40, 80, 160, 160, 5, 10, 1, 2, 4, 8, 16, 320, nil, nil]
        for (number, width) in widths.enumerated() {
            let message = GenericNetlinkMessage(
                command: 7, [.u32(1, 0), .u32(161, 5_775), .u32(159, UInt32(number)), .u32(38, 5_180)])
            guard case .interface(let interface) = try message.reply() else {
                Issue.record("it is no interface")
                continue
            }
            #expect(interface.channel?.width == width)
            #expect(interface.channel?.secondCentreFrequency == 5_775)
        }
        #expect(GenericNetlinkMessage(command: 7, [.u32(1, 0), .u32(159, .max)]).refusal == nil)
    }

    @Test func station() throws {
        let address = try #require(accessPoint)
        var expected = StationFigures(interface: 4, address: address)
        expected.signal = -52
        expected.averageSignal = -54
        expected.chainSignals = [-53, -58]
        expected.averageChainSignals = [-55, -60]
        expected.averageBeaconSignal = -51
        expected.receiveRate = BitRate(value: 540, kind: .legacy)
        expected.transmitRate = BitRate(value: 8_667, kind: .vht, mcs: 9, nss: 2, width: 80, guardInterval: 400)
        expected.expectedThroughput = 420_000
        expected.octetsReceived = 0x1_ffff_fff0
        expected.octetsSent = 5_000
        expected.packetsReceived = 70_000
        expected.packetsSent = 900
        expected.mpdusReceived = 71_000
        expected.retries = 31
        expected.failures = 2
        expected.drops = 5
        expected.checksumErrors = 8
        expected.beaconsReceived = 35_000
        expected.beaconLosses = 1
        expected.inactive = .milliseconds(20)
        expected.connected = .seconds(3_600)
        expected.airtimeReceived = .milliseconds(1_500)
        expected.airtimeSent = .milliseconds(90)
        expected.isAuthorised = true
        expected.isAssociated = true
        #expect(try RadioMessages.station.reply() == .station(expected))
    }

    /// Drivers leave out what they do not count, and old kernels count octets with 32 bits.
    @Test func stationOfWhichLittleIsKnown() throws {
        let address = try #require(accessPoint)
        var expected = StationFigures(interface: 4, address: address)
        func message(_ info: [NetlinkAttribute]) -> GenericNetlinkMessage {
            GenericNetlinkMessage(
                command: 19, [.nested(21, info), .octets(6, RadioMessages.accessPoint), .u32(3, 4)])
        }
        #expect(try message([]).reply() == .station(expected))
        let bare = GenericNetlinkMessage(command: 19, [.octets(6, RadioMessages.accessPoint), .u32(3, 4)])
        #expect(try bare.reply() == .station(expected))
        // Authorised is not in the mask, and associated not set.
        let flags = [UInt8](native: UInt32(0x80)) + [UInt8](native: UInt32(0x02))
        expected.isAssociated = false
        expected.octetsReceived = 7
        expected.octetsSent = 8
        let old = message([.u32(2, 7), .u32(3, 8), .octets(17, flags + [1, 2, 3, 4])])
        #expect(try old.reply() == .station(expected))
    }

    @Test func survey() throws {
        var expected = ChannelSurvey(interface: 4, frequency: 5_180, isInUse: true)
        expected.noise = -92
        expected.active = .seconds(10)
        expected.busy = .milliseconds(2_500)
        expected.extensionBusy = .milliseconds(700)
        expected.receiving = .milliseconds(1_200)
        expected.transmitting = .milliseconds(300)
        #expect(try RadioMessages.survey.reply() == .survey(expected))
        // As the simulated radio of Linux 6.1 does it, and as one that has no channel.
        let simulated = GenericNetlinkMessage(
            command: 51, [.u32(3, 4), .nested(84, [.u32(1, 2_412), .s8(2, -92), .u64(4, 8), .u64(5, .max)])])
        var simulatedExpected = ChannelSurvey(interface: 4, frequency: 2_412)
        simulatedExpected.noise = -92
        simulatedExpected.active = .milliseconds(8)
        simulatedExpected.busy = .milliseconds(UInt64.max)
        #expect(try simulated.reply() == .survey(simulatedExpected))
        let empty = GenericNetlinkMessage(command: 51, [.u32(3, 4)])
        #expect(try empty.reply() == .survey(ChannelSurvey(interface: 4)))
    }

    @Test func regulatoryDomain() throws {
        let country = try #require(RegulatoryDomain(alpha2: "DE"))
        #expect(try RadioMessages.regulatoryDomain.reply() == .regulatoryDomain(country))
        let own = GenericNetlinkMessage(command: 31, [.u32(1, 3), .octets(33, Array("00".utf8))])
        let ownExpected = try #require(RegulatoryDomain(alpha2: RegulatoryDomain.world, wiphy: 3))
        #expect(try own.reply() == .regulatoryDomain(ownExpected))
        for text in ["", "D", "DEU", "D\u{e9}"] {
            let message = GenericNetlinkMessage(command: 31, [.text(33, text)])
            #expect(message.refusal == .invalid("nl80211 regulatory domain without name", 0), "\(text)")
        }
    }

    /// Which commands are answers, and which events.
    @Test func deliveries() throws {
        #expect(try RadioMessages.connected.reply() == .other)
        #expect(try RadioMessages.survey.event() == nil)
        #expect(try RadioMessages.regulatoryDomain.event() == nil)
        for command: UInt8 in [0, 1, 2, 3, 4, 9, 200, 255] {
            let message = GenericNetlinkMessage(command: command, [.u32(3, 4)])
            #expect(try message.reply() == .other)
            #expect(try message.event() == nil)
        }
    }
}
