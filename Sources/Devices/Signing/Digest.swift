// SPDX-License-Identifier: Apache-2.0
import CLibSodium

/// BLAKE2b of 32 octets, libsodium's `crypto_generichash`, without a key.
public enum Digest {
    public static func of(_ message: [UInt8]) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 32)
        // It fails only for lengths that libsodium does not know.
        _ = crypto_generichash(&octets, octets.count, message, UInt64(message.count), nil, 0)
        return octets
    }
}
