// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Text of service information (ETSI EN 300 468 annex A). A first octet below 0x20 selects the character table.
public enum DVBText {
    /// Reads a text with a length octet before it. A text in a table that is not supported is left out: it is empty. A
    /// character that its table does not have becomes U+FFFD. Neither is an error.
    static func read(from reader: inout WireReader) throws(WireError) -> String {
        let length: UInt8 = try reader.read()
        return decode(reader.bytes[try reader.take(Int(length))])
    }

    /// Reads a name: line breaks become spaces, and spaces around it, with which some fill it up, are left out.
    static func readName(from reader: inout WireReader) throws(WireError) -> String {
        let text = try read(from: &reader).map { $0 == "\n" ? " " : $0 }
        let name = text.drop { $0 == " " }
        return String(name.prefix(name.lastIndex { $0 != " " }.map { $0 - name.startIndex + 1 } ?? 0))
    }

    /// Encodes a text as ASCII if it is ASCII, else as UTF-8, cut between characters to at most `limit` octets.
    static func encode(_ text: String, limit: Int = 255) -> [UInt8] {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return Array(text.utf8.prefix(limit)) }
        var result: [UInt8] = [0x15]
        for character in text {
            guard result.count + character.utf8.count <= limit else { break }
            result += character.utf8
        }
        return result
    }

    public static func decode(_ octets: some Collection<UInt8>) -> String {
        guard let first = octets.first else { return "" }
        switch first {
        case 0x01...0x0B: return latin(octets.dropFirst(), part: Int(first) + 4)
        case 0x10:
            let part = octets.dropFirst().prefix(2).reduce(0) { $0 << 8 | Int($1) }
            return latin(octets.dropFirst(3), part: part)
        case 0x11: return basicPlane(octets.dropFirst())
        case 0x15: return printable(String(decoding: octets.dropFirst(), as: UTF8.self))
        // Korean, Chinese, the compressed text of British broadcasters (0x1F), and what is reserved.
        case 0x00..<0x20: return ""
        default: return unmarked(octets)
        }
    }

    /// Text without a character table is in ISO/IEC 6937. Some send UTF-8, which is no text of that standard: there an
    /// accent is followed by a letter, here by an octet from 0x80 on.
    private static func unmarked(_ octets: some Collection<UInt8>) -> String {
        if octets.contains(where: { $0 >= 0x80 }), let text = String(validating: octets, as: UTF8.self) {
            return printable(text)
        }
        return western(octets)
    }

    /// Decodes ISO/IEC 6937, in which accents precede their letter.
    private static func western(_ octets: some Collection<UInt8>) -> String {
        var result = String.UnicodeScalarView()
        var accent: Unicode.Scalar?
        for octet in printable(octets) {
            if let mark = accents[octet] {
                accent = mark
            } else {
                result.append(octet < 0x80 ? Unicode.Scalar(octet) : symbol(octet))
                if let mark = accent { result.append(mark) }
                accent = nil
            }
        }
        return String(result)
    }

    /// Figure A.1 of EN 300 468: ISO/IEC 6937 with the euro sign. The columns of accents are left out.
    private static func symbol(_ octet: UInt8) -> Unicode.Scalar {
        switch octet {
        case 0xA0..<0xC0: symbols[Int(octet) - 0xA0]
        case 0xD0...0xFF: symbols[Int(octet) - 0xD0 + 0x20]
        default: "\u{FFFD}"
        }
    }

    private static let symbols: [Unicode.Scalar] = Array(
        ("\u{A0}¡¢£€¥\u{FFFD}§¤‘“«←↑→↓" + "°±²³×µ¶·÷’”»¼½¾¿"
            + "―¹®©™♪¬¦\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}⅛⅜⅝⅞" + "ΩÆĐªĦ\u{FFFD}ĲĿŁØŒºÞŦŊŉ" + "ĸæđðħıĳŀłøœßþŧŋ\u{AD}")
            .unicodeScalars)

    private static let accents: [UInt8: Unicode.Scalar] = [
        0xC1: "\u{300}", 0xC2: "\u{301}", 0xC3: "\u{302}", 0xC4: "\u{303}", 0xC5: "\u{304}", 0xC6: "\u{306}",
        0xC7: "\u{307}", 0xC8: "\u{308}", 0xCA: "\u{30A}", 0xCB: "\u{327}", 0xCD: "\u{30B}", 0xCE: "\u{328}",
        0xCF: "\u{30C}",
    ]

    /// Decodes ISO/IEC 8859.
    private static func latin(_ octets: some Collection<UInt8>, part: Int) -> String {
        var result = String.UnicodeScalarView()
        for octet in printable(octets) {
            result.append(octet < 0x80 ? Unicode.Scalar(octet) : upperHalf(octet, part: part))
        }
        return String(result)
    }

    private static func upperHalf(_ octet: UInt8, part: Int) -> Unicode.Scalar {
        switch (part, octet) {
        case (1, _), (5, 0xAD), (5, 0xA0): Unicode.Scalar(octet)
        case (5, 0xF0): "\u{2116}"
        case (5, 0xFD): "\u{A7}"
        case (5, _): Unicode.Scalar(0x360 + UInt32(octet)) ?? "\u{FFFD}"
        case (9, _): [0xD0: "Ğ", 0xDD: "İ", 0xDE: "Ş", 0xF0: "ğ", 0xFD: "ı", 0xFE: "ş"][octet] ?? Unicode.Scalar(octet)
        case (15, _):
            [0xA4: "€", 0xA6: "Š", 0xA8: "š", 0xB4: "Ž", 0xB8: "ž", 0xBC: "Œ", 0xBD: "œ", 0xBE: "Ÿ"][octet]
                ?? Unicode.Scalar(octet)
        default: LatinTables.character(octet, part: part)
        }
    }

    /// Decodes big-endian UCS-2.
    private static func basicPlane(_ octets: some Collection<UInt8>) -> String {
        var units: [UInt16] = []
        var high: UInt8?
        for octet in octets {
            if let first = high {
                units.append(UInt16(first) << 8 | UInt16(octet))
                high = nil
            } else {
                high = octet
            }
        }
        return printable(String(decoding: units, as: UTF16.self))
    }

    /// Removes control codes, including emphasis. The line break, 0x8A, stays as a newline; so does 0x0A, which some send.
    private static func printable(_ octets: some Collection<UInt8>) -> [UInt8] {
        octets.compactMap { octet in
            switch octet {
            case 0x8A, 0x0A: 0x0A
            case 0..<0x20, 0x7F..<0xA0: nil
            default: octet
            }
        }
    }

    /// The same in tables of two octets and in UTF-8, whose control codes of DVB are U+E080...U+E09F (table A.2).
    private static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A, 0x8A, 0xE08A: result.append("\n")
            case 0..<0x20, 0x7F..<0xA0, 0xE080..<0xE0A0: break
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
