// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio
import TestSupport
import Testing

@testable import NetlinkMessages

/// Networks that were heard. Their information elements come from strangers.
@Suite struct WirelessScanTests {
    private static func result(_ attributes: [NetlinkAttribute]) throws -> BasicServiceSet? {
        let message = GenericNetlinkMessage(command: 34, [.u32(3, 4), .nested(47, attributes)])
        guard case .basicServiceSet(let network) = try message.reply() else { return nil }
        return network
    }

    private static func elements(_ octets: [UInt8]) -> InformationElements {
        var elements = InformationElements()
        octets.withUnsafeBytes { elements.read(WireReader($0)) }
        return elements
    }

    @Test func result() throws {
        var expected = BasicServiceSet(
            interface: 4, address: HardwareAddress("02:00:00:00:02:5a"), isAssociated: true)
        expected.ssid = Array("Arena".utf8)
        expected.frequency = 5_180
        expected.signal = -52  // of -51.50
        expected.beaconInterval = 100
        expected.capabilities = 0x0511
        expected.isProtected = true
        expected.age = .milliseconds(1_234)
        expected.load = BasicServiceSet.Load(stations: 17, utilisation: 128)
        #expect(try RadioMessages.scanResult.reply() == .basicServiceSet(expected))
    }

    @Test func resultOfWhichLittleIsKnown() throws {
        #expect(try Self.result([]) == BasicServiceSet(interface: 4, address: nil))
        let message = GenericNetlinkMessage(command: 34, [.nested(47, [.u8(8, 55), .u32(9, 2)])])
        var expected = BasicServiceSet(interface: nil, address: nil)
        expected.relativeSignal = 55
        #expect(try message.reply() == .basicServiceSet(expected))
    }

    /// Hundredths of dBm are rounded.
    @Test(
        arguments: [(-5_149, -51), (-5_150, -52), (-49, 0), (0, 0), (50, 1), (.max, 21_474_836)] as [(Int32, Int)])
    func signal(hundredths: Int32, signal: Int) throws {
        #expect(try Self.result([.s32(7, hundredths)])?.signal == signal)
    }

    @Test func protection() throws {
        let rsn: [UInt8] = [48, 2, 1, 0]
        let wpa: [UInt8] = [221, 6, 0x00, 0x50, 0xf2, 1, 1, 0]
        let wmm: [UInt8] = [221, 6, 0x00, 0x50, 0xf2, 2, 1, 0]
        #expect(try Self.result([.u16(5, 0x0001)])?.isProtected == false)
        #expect(try Self.result([.u16(5, 0x0011)])?.isProtected == true)
        #expect(try Self.result([.octets(6, wmm)])?.isProtected == false)
        #expect(try Self.result([.u16(5, 0x0001), .octets(6, rsn)])?.isProtected == true)
        #expect(try Self.result([.octets(11, wpa)])?.isProtected == true)
        #expect(try Self.result([.octets(6, [])])?.isProtected == nil)
    }

    /// The probe response has the name that the beacon hides, the beacon has the load.
    @Test func responseAndBeacon() throws {
        let response: [UInt8] = [0, 5] + RadioMessages.ssid
        let beacon: [UInt8] = [0, 0, 11, 5, 1, 1, 255, 0, 0]
        let both = try Self.result([.octets(11, beacon), .octets(6, response)])
        #expect(both?.ssid == RadioMessages.ssid)
        #expect(both?.load == BasicServiceSet.Load(stations: 257, utilisation: 255))
        #expect(try Self.result([.octets(6, beacon)])?.ssid == [])
    }

    @Test func damagedElementsAreLeftOut() {
        let whole = RadioMessages.elements
        #expect(Self.elements(whole).ssid == RadioMessages.ssid)
        // Cut anywhere: the elements that are whole are read.
        for count in whole.indices {
            let elements = Self.elements(Array(whole[..<count]))
            #expect(elements.ssid == (count < 7 ? nil : RadioMessages.ssid))
            #expect((elements.load != nil) == (count >= 20))
            #expect(elements.hasSecurity == (count >= 42))
            #expect(elements.isEmpty == (count < 7))
        }
        let name = [UInt8](repeating: 0x41, count: 32)
        #expect(Self.elements([0, 32] + name).ssid == name)
        #expect(Self.elements([0, 33] + name + [0x41]).ssid == nil)
        #expect(Self.elements([0, 33] + name + [0x41, 0, 1, 0x42]).ssid == [0x42])
        #expect(Self.elements([11, 4, 1, 0, 9, 0, 11, 5, 2, 0, 9, 0, 0]).load?.stations == 2)
        #expect(Self.elements([221, 3, 0, 0x50, 0xf2, 48, 0]).hasSecurity)
    }

    @Test func elementsAreBounded() {
        let name: [UInt8] = [0, 1, 0x41]
        let before = [UInt8](repeating: 2, count: 4 * InformationElements.mostElements)  // each of 4 octets
        #expect(Self.elements(before + name).ssid == nil)
        #expect(Self.elements(Array(before.dropFirst(4)) + name).ssid == [0x41])
    }
}
