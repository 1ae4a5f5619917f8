// SPDX-License-Identifier: Apache-2.0

/// Why texts are no certificate with its key, or none could be made.
public enum CertificateError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLong(limit: Int)
    /// The text has no block CERTIFICATE.
    case noCertificate
    /// The block with this number, from 1, is no certificate.
    case notACertificate(block: Int)
    /// More than `limit` certificates.
    case tooMany(limit: Int)
    /// The text has no private key, or one with a passphrase.
    case noKey
    /// The key is not that of the first certificate.
    case otherKey
    /// A key that clients refuse.
    case weakKey(String)
    /// libcrypto could not do it.
    case failed(step: String)

    /// Whether the key is wrong, rather than the certificate.
    public var isOfKey: Bool {
        switch self {
        case .noKey, .otherKey: true
        default: false
        }
    }

    /// What was expected instead.
    public var expectation: String {
        switch self {
        case .tooLong(let limit): "at most \(limit) octets"
        case .noCertificate: "PEM with a line -----BEGIN CERTIFICATE-----"
        case .notACertificate(let block): "certificates; block \(block) of the PEM is none"
        case .tooMany(let limit): "at most \(limit) certificates: the server's and those up to its authority"
        case .noKey: "PEM with a private key that has no passphrase"
        case .otherKey: "the private key of the first certificate of http.certificate"
        case .weakKey(let kind): "a key of P-256, P-384, Ed25519 or RSA of 2048 bits at least; this is \(kind)"
        case .failed(let step): "a certificate that libcrypto takes; it fails at: \(step)"
        }
    }

    public var description: String { "expected \(expectation)" }
}
