// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import Radio
import TestSupport
import Testing

/// SVM-127: what the kernel tells of radios by itself.
@Suite struct WirelessEventTests {
    private static let accessPoint = HardwareAddress("02:00:00:00:02:5a")
    /// As each event of an interface begins.
    private static let subject: [NetlinkAttribute] = [.u32(1, 1), .u32(3, 4)]

    private static func event(_ command: UInt8, _ attributes: [NetlinkAttribute]) throws -> RadioEvent? {
        try GenericNetlinkMessage(command: command, subject + attributes).multicast.event()
    }

    private static func kind(_ command: UInt8, _ attributes: [NetlinkAttribute]) throws -> RadioEvent.Kind? {
        try event(command, attributes)?.kind
    }

    @Test func connections() throws {
        let connected = RadioEvent(.connected, interface: 4, address: Self.accessPoint)
        #expect(try RadioMessages.connected.event() == connected)
        #expect(try Self.kind(46, []) == .connected)
        #expect(try Self.kind(46, [.u16(72, 17)]) == .connectionFailed(status: 17))
        // The kernel gives a status as well: unspecified failure.
        #expect(try Self.kind(46, [.u16(72, 1), .flag(65)]) == .connectionFailed(status: nil))
        let roamed = RadioEvent(.roamed, interface: 4, address: Self.accessPoint)
        #expect(try Self.event(47, [.octets(6, RadioMessages.accessPoint)]) == roamed)
    }

    @Test func disconnections() throws {
        let inactivity = ReasonCode(rawValue: 4)
        let ended = RadioEvent(.disconnected(reason: inactivity, by: .accessPoint), interface: 4)
        #expect(try RadioMessages.disconnected.event() == ended)
        #expect(try Self.kind(48, [.u16(54, 4)]) == .disconnected(reason: inactivity, by: .station))
        #expect(try Self.kind(48, [.u16(54, 0)]) == .disconnected(reason: nil, by: .station))
        #expect(try Self.kind(48, []) == .disconnected(reason: nil, by: .station))
    }

    @Test func stations() throws {
        let address: [NetlinkAttribute] = [.octets(6, RadioMessages.accessPoint)]
        let appeared = RadioEvent(.stationAppeared, interface: 4, address: Self.accessPoint)
        #expect(try RadioMessages.station.multicast.event() == appeared)
        let gone = RadioEvent(.stationGone, interface: 4, address: Self.accessPoint)
        #expect(try Self.event(20, address + [.nested(21, RadioMessages.stationInfo)]) == gone)
    }

    @Test func scans() throws {
        let asked: [NetlinkAttribute] = [.nested(45, [.octets(0, [])]), .nested(44, [.u32(0, 2_412), .u32(1, 5_180)])]
        #expect(try Self.event(33, asked) == RadioEvent(.scanStarted, interface: 4))
        #expect(try Self.event(34, asked) == RadioEvent(.scanEnded, interface: 4))
        #expect(try Self.event(35, asked) == RadioEvent(.scanAborted, interface: 4))
        let device = GenericNetlinkMessage(command: 33, [.u32(1, 1), .u64(153, 1)])
        #expect(try device.event() == RadioEvent(.scanStarted, interface: nil))
    }

    @Test func channels() throws {
        let channel = RadioChannel(controlFrequency: 2_412, width: 20, centreFrequency: 2_412)
        #expect(try RadioMessages.channelSwitched.event() == RadioEvent(.channelSwitched(channel), interface: 4))
        #expect(try Self.event(88, [.u32(159, 1)]) == nil)
    }

    /// The kernel names a country, or says what kind of rules they are.
    @Test func regulatoryDomains() throws {
        func domain(_ command: UInt8, _ attributes: [NetlinkAttribute]) throws -> RadioEvent.Kind? {
            let message = GenericNetlinkMessage(command: command, [.u8(48, 1)] + attributes)
            let event = try message.event()
            #expect(event?.interface == nil)
            return event?.kind
        }
        let country: [NetlinkAttribute] = [.u8(49, 0), .text(33, "FR"), .u32(1, 2)]
        #expect(try domain(36, country) == .regulatoryChanged(RegulatoryDomain(alpha2: "FR")))
        #expect(try domain(113, country) == .regulatoryChanged(RegulatoryDomain(alpha2: "FR", wiphy: 2)))
        for (type, name): (UInt8, String) in [(1, "00"), (2, "99"), (3, "98")] {
            #expect(try domain(36, [.u8(49, type)]) == .regulatoryChanged(RegulatoryDomain(alpha2: name)))
        }
        #expect(try domain(36, [.u8(49, 0)]) == .regulatoryChanged(nil))
        #expect(try domain(36, []) == .regulatoryChanged(nil))
    }

    @Test func quality() throws {
        func quality(_ attributes: [NetlinkAttribute]) throws -> RadioEvent.Kind? {
            try Self.kind(64, [.octets(6, RadioMessages.accessPoint), .nested(94, attributes)])
        }
        #expect(try RadioMessages.signalFell.event() == RadioEvent(.signalFell(signal: -71), interface: 4))
        #expect(try quality([.u32(3, 0)]) == .signalFell(signal: nil))
        #expect(try quality([.u32(3, 1), .s32(9, -60)]) == .signalRose(signal: -60))
        #expect(try quality([.u32(3, 2)]) == .beaconsLost)
        #expect(try quality([.flag(8)]) == .beaconsLost)
        #expect(try quality([.u32(4, 50)]) == .packetsLost(50))
        #expect(try quality([.u32(6, 100), .u32(5, 30), .u32(7, 10)]) == .transmissionsFailed(percent: 30))
        #expect(try quality([.u32(6, 100)]) == .transmissionsFailed(percent: nil))
        #expect(try quality([.u32(3, 77)]) == nil)
        #expect(try quality([]) == nil)
        #expect(try Self.kind(64, []) == nil)
    }

    @Test func interfaces() throws {
        guard case .interface(let interface) = try RadioMessages.interface.reply() else {
            Issue.record("it is no interface")
            return
        }
        var message = RadioMessages.interface.multicast
        #expect(try message.event()?.kind == .interfaceAppeared(interface))
        #expect(try message.event()?.interface == 4)
        #expect(try message.event()?.address == interface.address)
        message.command = 6
        #expect(try message.event()?.kind == .interfaceChanged(interface))
        message.command = 8
        #expect(try message.event()?.kind == .interfaceGone(interface))
    }
}
