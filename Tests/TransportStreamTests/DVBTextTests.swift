// SPDX-License-Identifier: Apache-2.0
import Bytes
import Testing

@testable import TransportStream

@Suite struct DVBTextTests {
    @Test(
        arguments: [
            ([], ""), (Array("BBC One".utf8), "BBC One"),
            ([0xC8, 0x55, 0x62, 0x65, 0x72], "Über"), ([0x41, 0x86, 0x42, 0x87, 0x8A, 0x43], "AB\nC"),
            ([0x24, 0xA4], "$€"),
            ([0x15] + Array("Über 🎬".utf8), "Über 🎬"), ([0x10, 0, 1, 0xDC], "Ü"), ([0x10, 0, 15, 0xA4, 0x31], "€1"),
            ([0x01, 0xBF, 0xE0], "Пр"), ([0x05, 0xDD], "İ"), ([0x11, 0x04, 0x1F], "П"),
            ([0x03, 0x41, 0xE5], "Aε"), ([0x02, 0xD0], "ذ"), ([0x10, 0, 2, 0xA3, 0xF3], "Łó"),
            ([0x11, 0xE0, 0x86, 0x00, 0x41, 0xE0, 0x8A, 0x00, 0x42], "A\nB"),
            ([0x15, 0x41, 0xEE, 0x82, 0x8A, 0xC2, 0x9B, 0x42], "A\nB"), ([0xD4, 0xE0, 0xFD, 0xBC, 0xA9], "™Ωŧ¼‘"),
            ([0x10], ""), ([0x11, 0x04], ""),
            // A line break as ASCII has it, UTF-8 without its mark, and tables that are left out.
            ([0x47, 0x0A, 0x5A], "G\nZ"), ([0x15, 0x47, 0x0A, 0x5A], "G\nZ"), (Array("Größe".utf8), "Größe"),
            ([0x1F, 0x01, 0x33, 0x9E], ""), ([0x12, 0xB0, 0xA1], ""), ([0x13, 0xB0, 0xA1], ""),
            ([0x14, 0xA4, 0x40], ""),
            ([0x0C, 0x41], ""), ([0x16, 0x41], ""), ([0x00, 0x41], ""),
        ] as [([UInt8], String)]) func decodes(octets: [UInt8], text: String)
    {
        #expect(DVBText.decode(octets) == text)
    }

    /// Some octets of each part, as Unicode's own tables of ISO/IEC 8859 map them.
    @Test(
        arguments: [
            (2, [0xB1, 0xC8, 0xFF], "ąČ˙"), (3, [0xA1, 0xFD], "Ħŭ"), (4, [0xA2, 0xBD], "ĸŊ"), (6, [0xC7, 0xBF], "ا؟"),
            (7, [0xC1, 0xF9], "Αω"), (8, [0xE0, 0xFA], "את"), (10, [0xAA, 0xBE], "Šū"), (11, [0xA1, 0xDF], "ก฿"),
            (13, [0xA1, 0xD8], "”Ų"), (14, [0xA1, 0xF0], "Ḃŵ"), (12, [0xA1], "\u{FFFD}"), (99, [0xA1], "\u{FFFD}"),
        ] as [(UInt8, [UInt8], String)]) func partsOfISO8859(part: UInt8, octets: [UInt8], text: String)
    {
        #expect(DVBText.decode([0x10, 0, part] + octets) == text)
    }

    @Test(arguments: ["", "Channel 4", "Ünïcode 東京"]) func readsWhatItWrites(text: String) {
        #expect(DVBText.decode(DVBText.encode(text)) == text)
    }

    /// A name is one line, without what fills it up.
    @Test(arguments: [("  BBC TWO  ", "BBC TWO"), ("   ", ""), ("", ""), ("A\u{8A}B", "A B")])
    func names(written: String, name: String) throws {
        let octets = written.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let read = try ([UInt8(octets.count)] + octets).withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            return try DVBText.readName(from: &reader)
        }
        #expect(read == name)
    }

    @Test func cutsBetweenCharacters() {
        let octets = DVBText.encode(String(repeating: "東", count: 100), limit: 20)
        #expect(octets.count == 19 && DVBText.decode(octets) == "東東東東東東")
    }
}
