// SPDX-License-Identifier: Apache-2.0
import Control
import TestSupport
import Testing

struct Base64Tests {
    /// RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func vectors(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "====", "=", "Zh==", "Zm9=", "Zm 9", "Zm9v\n", "Z=9v", "Zg==Zg==", "Zm-_",
    ])
    func refuses(text: String) { #expect(Base64.decode(text) == nil) }

    @Test func roundTrips() {
        var random = SplitMix64(seed: 64)
        for count in 0..<300 {
            let octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64.decode(Base64.encode(octets)) == octets)
        }
    }
}
