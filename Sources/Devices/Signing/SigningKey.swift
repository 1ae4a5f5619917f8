// SPDX-License-Identifier: Apache-2.0
import Bytes
import CLibSodium

/// A private Ed25519 key (RFC 8032), with which messages are signed.
public struct SigningKey: Sendable {
    /// What belongs to it, for those who check signatures.
    public let verifyingKey: VerifyingKey
    /// Seed and public key, as libsodium takes them.
    private let octets: [UInt8]

    /// - Parameter pem: what `openssl genpkey -algorithm ed25519` writes.
    public init(pem: String) throws(KeyError) {
        let der = try KeyText.block("PRIVATE KEY", in: pem)
        try self.init(seed: try KeyText.key(in: der, after: KeyText.privatePrefix))
    }

    /// - Parameter seed: 32 random octets.
    public init(seed: [UInt8]) throws(KeyError) {
        guard seed.count == KeyText.keyOctets else { throw .notEd25519(octets: seed.count) }
        // A second call does nothing and returns 1.
        guard sodium_init() >= 0 else { throw .unavailable }
        var verifying = [UInt8](repeating: 0, count: KeyText.keyOctets)
        var octets = [UInt8](repeating: 0, count: 2 * KeyText.keyOctets)
        guard crypto_sign_seed_keypair(&verifying, &octets, seed) == 0 else { throw .unavailable }
        verifyingKey = try VerifyingKey(octets: verifying)
        self.octets = octets
    }

    /// What `openssl genpkey -algorithm ed25519` would have written. It is the secret itself.
    public var pem: String {
        let der = KeyText.privatePrefix + octets.prefix(KeyText.keyOctets)
        return "-----BEGIN PRIVATE KEY-----\n\(Base64.encode(der))\n-----END PRIVATE KEY-----\n"
    }

    /// The signature of a message, of 64 octets; always the same for the same message.
    public func signature(of message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: VerifyingKey.signatureOctets)
        // It always returns 0.
        _ = crypto_sign_detached(&signature, nil, message, UInt64(message.count), octets)
        return signature
    }
}
