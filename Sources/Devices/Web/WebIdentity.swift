// SPDX-License-Identifier: Apache-2.0

/// What a server shows to clients that come by TLS.
public struct WebIdentity: Equatable, Sendable {
    /// PEM of the certificate, and behind it of those up to its authority.
    public let certificate: String
    /// PEM of its private key, without a passphrase.
    public let key: String

    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}
