// SPDX-License-Identifier: Apache-2.0
import Radio
import Testing

struct HardwareAddressTests {
    @Test(
        arguments: [
            ("00:00:00:00:00:00", [0, 0, 0, 0, 0, 0]), ("ff:ff:ff:ff:ff:ff", [255, 255, 255, 255, 255, 255]),
            ("02:00:00:00:01:5a", [2, 0, 0, 0, 1, 0x5a]), ("0a:b1:C2:d3:E4:f5", [0x0a, 0xb1, 0xc2, 0xd3, 0xe4, 0xf5]),
        ] as [(String, [UInt8])])
    func reads(text: String, octets: [UInt8]) throws {
        let address = try #require(HardwareAddress(text))
        #expect(address.octets == octets)
        #expect(address.description == text.lowercased())
        #expect(HardwareAddress(bits: address.bits) == address)
    }

    @Test(arguments: [
        "", ":", "02:00:00:00:01", "02:00:00:00:01:", "02:00:00:00:01:5a:", "02:00:00:00:01:5a:00", "2:0:0:0:1:5a",
        "020:00:00:00:01:5", "02-00-00-00-01-5a", "0200.0000.015a", "0200000001 5a", "02:00:00:00:01:5g",
        " 2:00:00:00:01:5a", "+2:00:00:00:01:5a", "02:00:00:00:01:5a ", "02:00:00:00:01:5\u{e9}",
        "02:00:00:00:01:\u{3b1}",
    ])
    func refuses(text: String) { #expect(HardwareAddress(text) == nil) }

    @Test func hasFortyEightBits() {
        #expect(HardwareAddress(bits: .max) == HardwareAddress("ff:ff:ff:ff:ff:ff"))
        #expect(HardwareAddress(bits: 0x1_0000_0000_0001).bits == 1)
    }
}
