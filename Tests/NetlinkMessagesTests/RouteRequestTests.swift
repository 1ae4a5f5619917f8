// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Venue

@testable import NetlinkMessages

/// Octets as the kernel's own headers make them (little-endian).
@Suite struct RouteRequestTests {
    @Test func lists() {
        let links = "14000000 1200 0103 00000000 00000000 | 00000000"
        #expect(RouteRequest.links.octets == [UInt8](hexadecimal: links))
        let addresses = "14000000 1600 0103 00000000 00000000 | 00000000"
        #expect(RouteRequest.addresses.octets == [UInt8](hexadecimal: addresses))
    }

    @Test func routes() throws {
        let four = try #require(NumericAddress("239.1.1.1"))
        #expect(
            RouteRequest.route(toward: four).octets
                == [UInt8](
                    hexadecimal: """
                        24000000 1a00 0100 00000000 00000000 | 02 20 00 00 00 00 00 00 00000000 | 0800 0100 ef010101
                        """))
        let six = try #require(NumericAddress("ff15::1"))
        #expect(RouteRequest.route(toward: six).octets.count == 16 + 12 + 20)
        #expect(RouteRequest.route(toward: six).octets[16...17] == [10, 128])
    }
}
