// SPDX-License-Identifier: Apache-2.0
import Bytes
import Testing

@testable import Signing

struct SecretDigestTests {
    @Test func equalForTheSameSecretAndUse() throws {
        let digest = try #require(SecretDigest(of: "tl-abc", use: "token"))
        #expect(SecretDigest(of: "tl-abc", use: "token") == digest)
        #expect(SecretDigest(of: "tl-abd", use: "token") != digest)
        #expect(SecretDigest(of: "tl-abc", use: "code") != digest)
        #expect(SecretDigest(octets: digest.octets) == digest)
        #expect(SecretDigest(octets: Array(digest.octets.dropLast())) == nil)
    }

    /// BLAKE2b-256 without a key: RFC 7693's algorithm, digest of Python's hashlib.blake2b(b"abc", digest_size=32).
    @Test func itIsBLAKE2b() throws {
        let digest = try #require(SecretDigest(of: "abc", use: ""))
        let hexadecimal = digest.octets.map { octet in
            (octet < 16 ? "0" : "") + String(octet, radix: 16)
        }.joined()
        #expect(hexadecimal == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
    }
}
