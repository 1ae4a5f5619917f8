// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

struct NumericAddressTests {
    @Test(
        arguments: [
            ("224.2.127.254", [224, 2, 127, 254]), ("0.0.0.0", [0, 0, 0, 0]),
            ("255.255.255.255", [255, 255, 255, 255]),
            ("::", [UInt8](repeating: 0, count: 16)), ("::1", [UInt8](repeating: 0, count: 15) + [1]),
            ("ff02::2:7ffe", [0xff, 2] + [UInt8](repeating: 0, count: 10) + [0, 2, 0x7f, 0xfe]),
            ("1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]),
            ("fe80::", [0xfe, 0x80] + [UInt8](repeating: 0, count: 14)),
            ("::ffff:192.0.2.1", [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 192, 0, 2, 1]),
            ("1:2:3:4:5:6:192.0.2.1", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 192, 0, 2, 1]),
            ("1::3:4:5:6:7:8", [0, 1, 0, 0, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]),
        ] as [(String, [UInt8])])
    func reads(text: String, octets: [UInt8]) { #expect(NumericAddress(text)?.octets == octets) }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.+4", "1.2.3.", "a.b.c.d", " 1.2.3.4", "localhost",
        ":", ":::",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "::1%eth0", "1.2.3.4::", "::1.2.3",
        "1:2:3:4:5:6:7::8",
        "1:", ":1", "::+1", "1:2:3:4:5:6:7:1.2.3.4", "1.2.3.4:1:2:3:4:5:6:7",
    ])
    func refuses(text: String) { #expect(NumericAddress(text) == nil) }

    @Test func knowsMulticast() {
        for text in ["127.0.0.1", "127.9.8.7", "::1"] { #expect(NumericAddress(text)?.isLoopback == true) }
        for text in ["128.0.0.1", "10.0.0.1", "::2", "fe80::1", "::", "0.0.0.0", "1::1"] {
            #expect(NumericAddress(text)?.isLoopback == false)
        }
        #expect(NumericAddress("239.255.255.255")?.isMulticast == true)
        #expect(NumericAddress("127.0.0.1")?.isMulticast == false)
        #expect(NumericAddress("ff02::1")?.isMulticast == true)
        #expect(NumericAddress("fe80::1")?.isMulticast == false)
    }
}
