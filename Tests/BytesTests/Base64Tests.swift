// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

struct Base64Tests {
    /// RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func vectors(plain: String, text: String) {
        #expect(Base64.encode(plain.utf8) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
        #expect(Base64.decode(text, tolerating: .padding) == Array(plain.utf8))
        #expect(Base64.decode(text.filter { $0 != "=" }, tolerating: .padding) == Array(plain.utf8))
    }

    /// All 64 symbols in their order (RFC 4648 Table 1).
    @Test func alphabet() {
        let symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        let octets = stride(from: 0, to: 64, by: 4).flatMap { first in
            let group = (0..<4).reduce(0) { $0 << 6 | UInt32(first + $1) }
            return [group >> 16, group >> 8, group].map { UInt8(truncatingIfNeeded: $0) }
        }
        #expect(Base64.encode(octets) == symbols && Base64.decode(symbols) == octets)
    }

    @Test(arguments: [
        "Z", "Z===", "Zm9vY", "Zm 9", "Zm9v\n", "Z=9v", "Zg==Zg==", "=Zm9", "Zm-_", "Zm\u{0}9", "é", "Zm9ö",
    ])
    func rubbish(text: String) {
        #expect(Base64.decode(text) == nil)
        #expect(Base64.decode(text, tolerating: .padding) == nil)
    }

    /// What only who tolerates it takes: too little and too much padding, unused bits that are not 0.
    @Test(
        arguments: [
            ("Zg", [0x66]), ("Zg=", [0x66]), ("Zg===", [0x66]), ("Zm8", [0x66, 0x6F]), ("Zm8==", [0x66, 0x6F]),
            ("Zm9v=", [0x66, 0x6F, 0x6F]), ("=", []), ("====", []), ("Zh==", [0x66]), ("Zm9=", [0x66, 0x6F]),
        ] as [(String, [UInt8])])
    func padding(text: String, octets: [UInt8]) {
        #expect(Base64.decode(text) == nil)
        #expect(Base64.decode(text, tolerating: .padding) == octets)
    }

    @Test func roundTrips() {
        var random = SplitMix64(seed: 64)
        for count in 0..<300 {
            let octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64.decode(Base64.encode(octets)) == octets)
        }
    }

    /// What is read strictly is what would be written; reading tolerantly finds the same in it.
    @Test func damage() {
        let text = Array(Base64.encode(0..<50).utf8)
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            let damaged = String(decoding: mutation.damage(text), as: UTF8.self)
            guard let octets = Base64.decode(damaged) else { continue }
            #expect(Base64.encode(octets) == damaged, "seed \(seed)")
            #expect(Base64.decode(damaged, tolerating: .padding) == octets, "seed \(seed)")
        }
    }
}
