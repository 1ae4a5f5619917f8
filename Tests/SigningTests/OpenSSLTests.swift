// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Signing

/// What openssl signs we accept, what we sign openssl accepts, and what is changed neither does.
@Suite(.enabled(if: OpenSSLPeer.isThere)) struct OpenSSLTests {
    @Test(arguments: [1, 64, 4_096]) func bothAgree(octets: Int) throws {
        var random = SplitMix64(seed: UInt64(octets))
        let message = (0..<octets).map { _ in UInt8.random(in: 0...255, using: &random) }
        let keys = try OpenSSLPeer.makeKeys()
        let (signing, verifying) = (try SigningKey(pem: keys.private), try VerifyingKey(keys.public))
        #expect(signing.verifyingKey == verifying)
        #expect(keys.public.contains("\n\(verifying.base64)\n"))

        let theirs = try OpenSSLPeer.signature(of: message, key: keys.private)
        #expect(theirs == signing.signature(of: message))
        #expect(verifying.isSignature(theirs, of: message))
        #expect(try OpenSSLPeer.isSignature(signing.signature(of: message), of: message, key: keys.public))

        var changed = message
        changed[octets / 2] ^= 1
        #expect(!verifying.isSignature(theirs, of: changed))
        #expect(try !OpenSSLPeer.isSignature(theirs, of: changed, key: keys.public))
        PeerLog.add("openssl", test: "OpenSSLTests/bothAgree", checks: 6)
    }
}
