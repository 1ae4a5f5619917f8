// SPDX-License-Identifier: Apache-2.0
import JSON
import SignedEnvelopes
import Signing

/// The key with which the orders of tests are signed.
enum VenueKey {
    static let signing: SigningKey = {
        // 32 octets are a seed.
        guard let key = try? SigningKey(seed: [UInt8](repeating: 7, count: 32)) else {
            preconditionFailure("libsodium does not work on this machine")
        }
        return key
    }()

    /// The same key as openssl writes it.
    static let pem = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH
        -----END PRIVATE KEY-----

        """

    static let settings: JSONValue = [
        "push": ["keys": [["id": "venue", "publicKey": .string(signing.verifyingKey.base64), "targets": ["all"]]]]
    ]

    /// An order for all boxes, which merges a patch.
    static func envelope(_ revision: Int64, _ patch: JSONValue) -> JSONValue {
        let order: JSONValue = [
            "order": 1, "target": ["all": true], "revision": .integer(revision), "expires": "2200-01-01T00:00:00Z",
            "settings": ["merge": patch],
        ]
        let unsigned = SignedEnvelope(payloadType: SignedOrder.payloadType, payload: order.octets())
        let signature = SignedEnvelope.Signature(
            keyID: "venue", octets: signing.signature(of: unsigned.signedOctets))
        return SignedEnvelope(
            payloadType: unsigned.payloadType, payload: unsigned.payload, signatures: [signature]
        ).json
    }
}
