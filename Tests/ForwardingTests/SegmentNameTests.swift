// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Forwarding

@Suite struct SegmentNameTests {
    @Test func vectorsBothWays() {
        let name = SegmentName(BootID(ordinal: 10, nonce: 0xFEDC_BA98_7654_3210), 300)
        #expect(name.description == "0000000a-fedcba9876543210-000000000000012c.spool")
        #expect(SegmentName(name.description) == name)
    }

    @Test func whatIsNoNameIsNone() {
        for text in [
            "", ".spool", "settled", "0000000a-fedcba9876543210-000000000000012c",
            "0000000A-fedcba9876543210-000000000000012c.spool", "a-fedcba9876543210-000000000000012c.spool",
            "0000000a-fedcba9876543210-12c.spool", "0000000a-fedcba9876543210-+00000000000012c.spool",
            "0000000a-fedcba9876543210-0000000000000000.spool", "0000000a-fedcba9876543210-ffffffffffffffff.spool",
            "0000000a-fedcba9876543210-000000000000012c.spool.new", "0000000afedcba9876543210-000000000000012c.spool",
            "0000000a--fedcba9876543210-000000000000012c.spool", "0000000a-fedcba9876543210-000000000000012g.spool",
        ] { #expect(SegmentName(text) == nil, "\(text)") }
    }

    /// The order is that of age, and that of the texts.
    @Test func namesSortByAge() {
        let parts: [(UInt32, UInt64, UInt64)] = [(1, 9, 9), (2, 1, 5), (2, 1, 17), (2, 3, 1), (200, 0, 1)]
        let names = parts.map { SegmentName(BootID(ordinal: $0, nonce: $1), $2) }
        #expect(names.reversed().sorted() == names)
        #expect(names.map(\.description).sorted() == names.map(\.description))
    }
}
