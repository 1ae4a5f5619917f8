// SPDX-License-Identifier: Apache-2.0
import Signing
import TestSupport
import Testing

@testable import SignedEnvelopes

/// What securesystemslib signs we accept, what we sign it accepts, and what is changed neither does.
@Suite(.enabled(if: SecureSystemsPeer.isThere && OpenSSLPeer.isThere)) struct SecureSystemsTests {
    @Test func bothAgree() throws {
        let keys = try OpenSSLPeer.makeKeys()
        let (signing, verifying) = (try SigningKey(pem: keys.private), try VerifyingKey(keys.public))
        let order = Array(#"{ "order":1,  "target" : {"all":true}, "not our way of writing": "é" }"#.utf8)
        for payload in [order, [0, 255, 10, 13], Order.sample.octets] {
            let text = try SecureSystemsPeer.envelope(
                payload, type: SignedOrder.payloadType, keyID: "bar-1", key: keys.private)
            let theirs = try SignedEnvelope(parsing: text)
            #expect(theirs.payload == payload && theirs.signatures.map(\.keyID) == ["bar-1"])
            #expect(verifying.isSignature(theirs.signatures[0].octets, of: theirs.signedOctets))

            let unsigned = SignedEnvelope(payloadType: SignedOrder.payloadType, payload: payload)
            let signature = SignedEnvelope.Signature(
                keyID: "bar-1", octets: signing.signature(of: unsigned.signedOctets))
            let ours = SignedEnvelope(
                payloadType: unsigned.payloadType, payload: payload, signatures: [signature])
            #expect(try SecureSystemsPeer.accepts(ours.json.octets(), keyID: "bar-1", key: keys.public))

            let changed = SignedEnvelope(
                payloadType: unsigned.payloadType, payload: payload + [0], signatures: [signature])
            #expect(!verifying.isSignature(signature.octets, of: changed.signedOctets))
            #expect(try !SecureSystemsPeer.accepts(changed.json.octets(), keyID: "bar-1", key: keys.public))
        }
        PeerLog.add("securesystemslib", test: "SecureSystemsTests/bothAgree", checks: 15)
    }
}
