// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TransportStream

@Suite struct DVBTextTests {
    @Test(
        arguments: [
            ([], ""), (Array("BBC One".utf8), "BBC One"),
            ([0xC8, 0x55, 0x62, 0x65, 0x72], "Über"), ([0x41, 0x86, 0x42, 0x87, 0x8A, 0x43], "AB C"),
            ([0x24, 0xA4], "$€"),
            ([0x15] + Array("Über 🎬".utf8), "Über 🎬"), ([0x10, 0, 1, 0xDC], "Ü"), ([0x10, 0, 15, 0xA4, 0x31], "€1"),
            ([0x01, 0xBF, 0xE0], "Пр"), ([0x05, 0xDD], "İ"), ([0x11, 0x04, 0x1F], "П"),
            ([0x03, 0x41, 0xE1], "A\u{FFFD}"),
            ([0x10], ""), ([0x11, 0x04], ""), ([0x1F, 0x41], "A"),
        ] as [([UInt8], String)]) func decodes(octets: [UInt8], text: String)
    {
        #expect(DVBText.decode(octets) == text)
    }

    @Test(arguments: ["", "Channel 4", "Ünïcode 東京"]) func readsWhatItWrites(text: String) {
        #expect(DVBText.decode(DVBText.encode(text)) == text)
    }

    @Test func cutsBetweenCharacters() {
        let octets = DVBText.encode(String(repeating: "東", count: 100), limit: 20)
        #expect(octets.count == 19 && DVBText.decode(octets) == "東東東東東東")
    }
}
