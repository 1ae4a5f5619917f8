// SPDX-License-Identifier: Apache-2.0
import Certificates

/// A text that may be a certificate, its key, or both.
func fuzzCertificate(_ bytes: UnsafeRawBufferPointer) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let certificate = try? ServerCertificate(certificate: text, key: text) else { return }  // it is refused
    precondition(certificate.digest.count == 32 && certificate.fingerprint.utf8.count == 95)
}
