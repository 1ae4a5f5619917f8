// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Codecs

@Suite struct DigestTests {
    /// FIPS 180-4's examples, and what `sha256sum` makes of nothing.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]) func sha256(text: String, digest: String) throws {
        #expect(try Digest.sha256(Array(text.utf8)) == digest)
    }
}
