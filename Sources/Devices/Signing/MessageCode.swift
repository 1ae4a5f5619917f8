// SPDX-License-Identifier: Apache-2.0
import CLibSodium

/// HMAC-SHA-256 (RFC 2104), by which a receiver of documents knows that they come from a holder of its secret.
public enum MessageCode {
    /// - Parameter secret: of any length; it has to be random.
    /// - Returns: 32 octets; nil if libsodium does not work on this machine.
    public static func octets(of message: [UInt8], secret: [UInt8]) -> [UInt8]? {
        // A second call does nothing and returns 1.
        guard sodium_init() >= 0 else { return nil }
        var state = crypto_auth_hmacsha256_state()
        var code = [UInt8](repeating: 0, count: 32)
        guard crypto_auth_hmacsha256_init(&state, secret, secret.count) == 0,
            crypto_auth_hmacsha256_update(&state, message, UInt64(message.count)) == 0,
            crypto_auth_hmacsha256_final(&state, &code) == 0
        else { return nil }
        return code
    }
}
