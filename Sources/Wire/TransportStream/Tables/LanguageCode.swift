// SPDX-License-Identifier: Apache-2.0

/// Codes of ISO 639-2: three letters, and for twenty languages two codes that mean the same.
enum LanguageCode {
    /// - Returns: lower case; nil unless three ASCII letters.
    static func letters(_ letters: UInt32) -> String? {
        let octets = [16, 8, 0].map { UInt8(truncatingIfNeeded: letters >> $0) | 0x20 }
        guard octets.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
        return String(decoding: octets, as: UTF8.self)
    }

    /// One form for all that mean the same: lower case, terminological.
    static func canonical(_ code: String) -> String {
        let lower = code.lowercased()
        return terminological[lower] ?? lower
    }

    /// By their bibliographic code.
    private static let terminological = [
        "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld", "fre": "fra",
        "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas",
        "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
    ]
}
