// SPDX-License-Identifier: Apache-2.0
import CLibSodium

/// A key that several machines share, by which they know each other's messages: HMAC-SHA-512-256, libsodium's
/// `crypto_auth`. It proves that a message comes from a holder of the key, and not from which one.
public struct SharedKey: Sendable {
    public static let tagOctets = 32
    private static let keyOctets = 32
    /// Keys of other uses that are made of the same secret are others.
    private static let use = Array("touchline sync group".utf8)

    private let octets: [UInt8]

    /// - Parameter secret: of any length; it is hashed to the key (BLAKE2b). It is not stretched, so it has to be random,
    ///   or long.
    /// - Returns: nil if libsodium does not work on this machine.
    public init?(secret: String) {
        // A second call does nothing and returns 1.
        guard sodium_init() >= 0 else { return nil }
        let secret = Array(secret.utf8)
        var octets = [UInt8](repeating: 0, count: Self.keyOctets)
        let result = crypto_generichash(
            &octets, octets.count, secret, UInt64(secret.count), Self.use, Self.use.count)
        guard result == 0 else { return nil }
        self.octets = octets
    }

    public func tag(of message: some Collection<UInt8>) -> [UInt8] {
        let message = Array(message)
        var tag = [UInt8](repeating: 0, count: Self.tagOctets)
        // It always returns 0.
        _ = crypto_auth(&tag, message, UInt64(message.count), octets)
        return tag
    }

    /// In a time that does not depend on where a wrong tag differs.
    public func isTag(_ tag: [UInt8], of message: some Collection<UInt8>) -> Bool {
        guard tag.count == Self.tagOctets else { return false }
        let message = Array(message)
        return crypto_auth_verify(tag, message, UInt64(message.count), octets) == 0
    }
}
