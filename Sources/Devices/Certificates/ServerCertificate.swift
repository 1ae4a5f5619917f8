// SPDX-License-Identifier: Apache-2.0
import CLibCrypto

/// A certificate (X.509) with its private key, as a TLS server shows it.
public struct ServerCertificate: Equatable, Sendable {
    /// Octets of a text that is read. An RSA key of 4096 bits has 3,300, a chain of three certificates 6,000.
    public static let longestText = 32 << 10
    /// Certificates of a chain.
    static let mostCertificates = 8

    /// PEM of the certificate, and behind it of those up to its authority.
    public let certificate: String
    /// PEM of the private key.
    public let key: String
    /// SHA-256 of the certificate's DER, by which people and clients know it.
    public let digest: [UInt8]
    /// SHA-256 of its public key (SubjectPublicKeyInfo, RFC 7469), which `curl --pinnedpubkey` takes.
    public let publicKeyDigest: [UInt8]
    public let validFrom: CertificateTime
    public let validUntil: CertificateTime

    /// Whether callers see the same certificate. Its key is the same, too, as it belongs to it.
    public static func == (a: ServerCertificate, b: ServerCertificate) -> Bool { a.digest == b.digest }

    /// The digest as people compare it: `AB:CD:…`.
    public var fingerprint: String {
        let digits = Array("0123456789ABCDEF")
        return digest.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined(separator: ":")
    }

    /// - Parameters:
    ///   - certificate: PEM. What stands before and behind its blocks is passed over.
    ///   - key: PEM. It may be the same text as `certificate`.
    public init(certificate: String, key: String) throws(CertificateError) {
        let chain = try Self.chain(in: certificate)
        let leaf = chain[0]
        let privateKey = try Self.privateKey(in: key)
        guard X509_check_private_key(leaf.handle, privateKey.handle) == 1 else { throw .otherKey }
        try Self.checkStrength(privateKey)
        guard let from = CertificateTime(X509_get0_notBefore(leaf.handle)),
            let until = CertificateTime(X509_get0_notAfter(leaf.handle))
        else { throw .notACertificate(block: 1) }
        self.certificate = certificate
        self.key = key
        validFrom = from
        validUntil = until
        digest = try Self.digest("the certificate's digest") { X509_digest(leaf.handle, EVP_sha256(), $0, $1) }
        publicKeyDigest = try Self.digest("the public key's digest") { octets, length in
            var encoded: UnsafeMutablePointer<UInt8>?
            let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(leaf.handle), &encoded)
            guard let encoded, count > 0 else { return 0 }
            defer { CRYPTO_free(encoded, "", 0) }
            return EVP_Digest(encoded, Int(count), octets, length, EVP_sha256(), nil)
        }
    }

    // MARK: Reading

    private static func chain(in text: String) throws(CertificateError) -> [X509Handle] {
        let source = try PEMText(text)
        var chain: [X509Handle] = []
        ERR_clear_error()
        while let read = tl_crypto_read_certificate(source.handle) {
            chain.append(X509Handle(read))
            guard chain.count <= mostCertificates else { throw .tooMany(limit: mostCertificates) }
        }
        let isAtEnd = tl_crypto_at_end() != 0
        ERR_clear_error()
        guard isAtEnd else { throw .notACertificate(block: chain.count + 1) }
        guard !chain.isEmpty else { throw .noCertificate }
        return chain
    }

    private static func privateKey(in text: String) throws(CertificateError) -> KeyHandle {
        let source = try PEMText(text)
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let read = tl_crypto_read_key(source.handle) else { throw .noKey }
        return KeyHandle(read)
    }

    /// What OpenSSL and clients refuse at a handshake is refused before.
    private static func checkStrength(_ key: KeyHandle) throws(CertificateError) {
        let bits = EVP_PKEY_get_bits(key.handle)
        switch EVP_PKEY_get_base_id(key.handle) {
        case EVP_PKEY_RSA where bits >= 2_048, EVP_PKEY_EC where bits >= 256, EVP_PKEY_ED25519: break
        case EVP_PKEY_RSA: throw .weakKey("RSA of \(bits) bits")
        case EVP_PKEY_EC: throw .weakKey("a curve of \(bits) bits")
        default: throw .weakKey("another kind")
        }
    }

    private static func digest(
        _ step: String, _ compute: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt32>) -> CInt
    ) throws(CertificateError) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        let result = octets.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { compute($0, &length) } ?? 0
        }
        guard result == 1 else { throw .failed(step: step) }
        return Array(octets.prefix(Int(length)))
    }
}

/// A text that libcrypto reads blocks of PEM from.
final class PEMText {
    let handle: OpaquePointer

    init(_ text: String) throws(CertificateError) {
        let octets = Array(text.utf8)
        guard octets.count <= ServerCertificate.longestText else {
            throw .tooLong(limit: ServerCertificate.longestText)
        }
        guard let made = BIO_new(BIO_s_mem()) else { throw .failed(step: "memory") }
        handle = made
        guard octets.isEmpty || BIO_write(made, octets, CInt(octets.count)) == CInt(octets.count) else {
            throw .failed(step: "memory")
        }
    }

    deinit { BIO_free(handle) }
}

final class X509Handle {
    let handle: OpaquePointer
    init(_ adopted: OpaquePointer) { handle = adopted }
    deinit { X509_free(handle) }
}

final class KeyHandle {
    let handle: OpaquePointer
    init(_ adopted: OpaquePointer) { handle = adopted }
    deinit { EVP_PKEY_free(handle) }
}
