// SPDX-License-Identifier: Apache-2.0

/// Codes of ISO 639-2. They have three letters; twenty languages have two equivalent codes.
enum LanguageCode {
    /// - Returns: the code in lower case; nil if it is not three ASCII letters.
    static func letters(_ letters: UInt32) -> String? {
        let octets = [16, 8, 0].map { UInt8(truncatingIfNeeded: letters >> $0) | 0x20 }
        guard octets.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The canonical code of a language: the terminological one, in lower case.
    static func canonical(_ code: String) -> String {
        let lower = code.lowercased()
        return terminological[lower] ?? lower
    }

    /// Terminological codes by bibliographic code.
    private static let terminological = [
        "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld", "fre": "fra",
        "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas",
        "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
    ]
}
