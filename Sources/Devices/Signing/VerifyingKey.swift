// SPDX-License-Identifier: Apache-2.0
import Bytes
import CLibSodium

/// A public Ed25519 key (RFC 8032), with which signatures are checked.
public struct VerifyingKey: Hashable, Sendable {
    public static let signatureOctets = 64

    /// The SHA-256 of the key's DER as 64 hexadecimal digits: what
    /// `openssl pkey -pubin -in FILE -outform DER | openssl dgst -sha256` prints.
    public let fingerprint: String
    private let octets: [UInt8]

    /// - Parameter text: what `openssl pkey -pubout` writes, or its middle line alone.
    public init(_ text: String) throws(KeyError) {
        let label = "PUBLIC KEY"
        let der = text.contains("-----") ? try KeyText.block(label, in: text) : try KeyText.octets(of: text)
        try self.init(octets: try KeyText.key(in: der, after: KeyText.publicPrefix))
    }

    /// - Parameter octets: 32 octets.
    package init(octets: [UInt8]) throws(KeyError) {
        guard octets.count == KeyText.keyOctets else { throw .notEd25519(octets: octets.count) }
        guard sodium_init() >= 0 else { throw .unavailable }
        // Points of small order and such as are written in another way than the usual one are no keys either.
        guard crypto_core_ed25519_is_valid_point(octets) == 1 else { throw .noPoint }
        self.octets = octets
        let der = KeyText.publicPrefix + octets
        var digest = [UInt8](repeating: 0, count: 32)
        // It always returns 0.
        _ = crypto_hash_sha256(&digest, der, UInt64(der.count))
        let digits = Array("0123456789abcdef".utf8)
        fingerprint = String(
            decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xf)]] }, as: UTF8.self)
    }

    /// The middle line of what `openssl pkey -pubout` writes.
    public var base64: String { Base64.encode(KeyText.publicPrefix + octets) }

    public func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == Self.signatureOctets else { return false }
        return crypto_sign_verify_detached(signature, message, UInt64(message.count), octets) == 0
    }
}
