// SPDX-License-Identifier: Apache-2.0
import CLibCrypto

extension ServerCertificate {
    /// From the day on which a clock that nobody has set stands to the end that RFC 5280 (4.1.2.5) has for certificates
    /// without one: who pins the certificate by its digest needs no clock.
    private static let validity = (from: "19700101000000Z", until: "99991231235959Z")

    /// Makes a certificate that is signed by its own key, ECDSA on P-256.
    /// - Parameters:
    ///   - name: the subject's common name, 1...64 characters.
    ///   - hosts: names and addresses for which it is; they are not what it is trusted by.
    /// - Thread: any; it takes some milliseconds.
    public static func selfSigned(
        name: String, hosts: (names: [String], addresses: [String])
    ) throws(CertificateError) -> ServerCertificate {
        guard let newKey = tl_crypto_new_p256() else { throw .failed(step: "a key") }
        let key = KeyHandle(newKey)
        guard let newCertificate = X509_new() else { throw .failed(step: "memory") }
        let certificate = X509Handle(newCertificate)
        try identify(certificate, key, name)
        let alternatives = hosts.names.map { "DNS:\($0)" } + hosts.addresses.map { "IP:\($0)" }
        var extensions: [(nid: CInt, value: String)] = [
            (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, "serverAuth"), (NID_subject_key_identifier, "hash"),
        ]
        if !alternatives.isEmpty { extensions.append((NID_subject_alt_name, alternatives.joined(separator: ","))) }
        for (nid, value) in extensions {
            try succeed("extension \(value)") { tl_crypto_extend(certificate.handle, nid, value) }
        }
        // The length of the signature, or 0.
        try succeed("its signature") { X509_sign(certificate.handle, key.handle, EVP_sha256()) > 0 ? 1 : 0 }
        return try ServerCertificate(
            certificate: text { PEM_write_bio_X509($0, certificate.handle) },
            key: text { PEM_write_bio_PrivateKey($0, key.handle, nil, nil, 0, nil, nil) })
    }

    private static func identify(
        _ certificate: X509Handle, _ key: KeyHandle, _ name: String
    ) throws(CertificateError) {
        let handle = certificate.handle
        try succeed("its version") { X509_set_version(handle, 2) }  // which means 3
        // Clients tell certificates of one issuer apart by their number: 127 random bits, as no number is negative.
        var number = [UInt8](repeating: 0, count: 16)
        try succeed("random octets") { RAND_bytes(&number, CInt(number.count)) }
        number[0] &= 0x7f
        guard let serial = BN_bin2bn(number, CInt(number.count), nil) else { throw .failed(step: "memory") }
        defer { BN_free(serial) }
        try succeed("its number") { BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(handle)) == nil ? 0 : 1 }
        try succeed("its validity") { ASN1_TIME_set_string_X509(X509_getm_notBefore(handle), validity.from) }
        try succeed("its validity") { ASN1_TIME_set_string_X509(X509_getm_notAfter(handle), validity.until) }
        try succeed("its key") { X509_set_pubkey(handle, key.handle) }
        let subject = X509_get_subject_name(handle)
        let octets = Array(name.utf8)
        try succeed("its name") {
            X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, octets, CInt(octets.count), -1, 0)
        }
        try succeed("its issuer") { X509_set_issuer_name(handle, subject) }
    }

    private static func succeed(_ step: String, _ call: () -> CInt) throws(CertificateError) {
        guard call() == 1 else {
            ERR_clear_error()
            throw .failed(step: step)
        }
    }

    private static func text(_ write: (OpaquePointer) -> CInt) throws(CertificateError) -> String {
        guard let memory = BIO_new(BIO_s_mem()) else { throw .failed(step: "memory") }
        defer { BIO_free(memory) }
        try succeed("PEM") { write(memory) }
        var start: UnsafeMutablePointer<CChar>?
        let count = tl_crypto_octets(memory, &start)
        guard let start, count > 0 else { throw .failed(step: "PEM") }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
