// SPDX-License-Identifier: Apache-2.0

/// Why a text is no Ed25519 key.
public enum KeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text has no block of PEM with this label.
    case noBlock(String)
    /// The block is not base64 with padding.
    case notBase64
    /// The octets are a key of another algorithm or of another form, or are no key.
    case notEd25519(octets: Int)
    /// The octets of the public key are no point of the curve that a key can be.
    case noPoint
    /// libsodium does not work on this machine.
    case unavailable

    public var description: String {
        switch self {
        case .noBlock(let label): "the key has no line -----BEGIN \(label)-----; expected what openssl writes as PEM"
        case .notBase64: "the key is not base64; expected what openssl writes as PEM"
        case .notEd25519(let octets): "the key of \(octets) octets is not Ed25519; see config/PUSH.md"
        case .noPoint: "the public key is no point of the curve; expected what openssl pkey -pubout writes"
        case .unavailable: "libsodium does not work on this machine"
        }
    }
}
