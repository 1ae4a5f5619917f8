// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The texts of secrets: tokens and sessions, which machines keep, and codes, which people read from a screen.
public enum SecretText {
    /// Octets of chance in a token or a session.
    public static let tokenOctets = 32
    /// Characters of a code. Each has 5 bits, so that a code has 50.
    static let codeLength = 10
    /// Octets of chance that a code is made of.
    public static let codeOctets = codeLength
    /// Digits and letters that nobody takes for another one, as Crockford's base 32 has them: without I, L, O and U.
    static let codeAlphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    /// Octets of the longest text that is looked at.
    static let longest = 256

    /// - Parameter chance: `tokenOctets` random octets.
    public static func token(_ chance: [UInt8]) -> String {
        precondition(chance.count == tokenOctets)
        let text = Base64.encode(chance).filter { $0 != "=" }
        return "tl-" + String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// - Parameter chance: `codeOctets` random octets.
    public static func code(_ chance: [UInt8]) -> String {
        precondition(chance.count == codeOctets)
        let letters = chance.map { codeAlphabet[Int($0 & 0x1f)] }
        return String(letters.prefix(codeLength / 2)) + "-" + String(letters.suffix(codeLength / 2))
    }

    /// A code as it was shown, however somebody typed it: in small letters, without the hyphen or with blanks, O for 0, I or L
    /// for 1. nil if no code has this form.
    public static func readCode(_ text: String) -> String? {
        guard text.utf8.count <= longest else { return nil }
        var letters: [Character] = []
        for letter in text.uppercased() where letter != "-" && letter != " " {
            let meant: Character = letter == "O" ? "0" : letter == "I" || letter == "L" ? "1" : letter
            guard codeAlphabet.contains(meant) else { return nil }
            letters.append(meant)
        }
        guard letters.count == codeLength else { return nil }
        return String(letters.prefix(codeLength / 2)) + "-" + String(letters.suffix(codeLength / 2))
    }

    /// What is kept of a token; nil if nothing can have this text, or libsodium does not work.
    public static func digest(_ token: String) -> SecretDigest? {
        guard (1...longest).contains(token.utf8.count) else { return nil }
        return SecretDigest(of: token, use: "touchline token")
    }
}
