// SPDX-License-Identifier: Apache-2.0
import CLibSodium

/// The digest of a secret, which is kept in its place: BLAKE2b of 256 bits, libsodium's `crypto_generichash`. It is not
/// stretched, so the secret has to be random and long, which tokens are and passwords are not.
public struct SecretDigest: Equatable, Sendable {
    public static let octetCount = 32

    public let octets: [UInt8]

    /// - Parameter octets: what `octets` of a digest was.
    /// - Returns: nil if they are not `octetCount`.
    public init?(octets: [UInt8]) {
        guard octets.count == Self.octetCount else { return nil }
        self.octets = octets
    }

    /// - Parameters:
    ///   - secret: of any length.
    ///   - use: what the secret is for; the digests of other uses are others.
    /// - Returns: nil if libsodium does not work on this machine.
    public init?(of secret: String, use: String) {
        // A second call does nothing and returns 1.
        guard sodium_init() >= 0 else { return nil }
        let (secret, use) = (Array(secret.utf8), Array(use.utf8))
        var octets = [UInt8](repeating: 0, count: Self.octetCount)
        let result = crypto_generichash(&octets, octets.count, secret, UInt64(secret.count), use, use.count)
        guard result == 0 else { return nil }
        self.octets = octets
    }

    /// In a time that does not depend on where they differ.
    public static func == (a: SecretDigest, b: SecretDigest) -> Bool { crypto_verify_32(a.octets, b.octets) == 0 }
}
