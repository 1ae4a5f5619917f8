// SPDX-License-Identifier: Apache-2.0
import System

/// The file of the state directory that keeps the box's own certificate and its key, both as PEM, for its user alone.
public struct CertificateFile: Sendable {
    public let path: String

    public init(directory: String) { path = directory + "/certificate.pem" }

    /// A certificate and where it comes from.
    public struct Found: Sendable {
        public let certificate: ServerCertificate
        /// Whether it was made now.
        public let isNew: Bool
        /// Why there is another certificate than before, or why this one is not kept; nil if all is well.
        public let problem: String?
    }

    /// Reads the certificate; makes one and writes it if there is none, or the file holds none. A file that the disk does
    /// not give stays. A box goes on with a certificate that is not kept, and has another one after the next start.
    /// - Throws: if libcrypto cannot make one.
    public func load(
        name: String, hosts: (names: [String], addresses: [String])
    ) throws(CertificateError) -> Found {
        var problem: String?
        do {
            if let octets = try DurableFile.read(path, limit: ServerCertificate.longestText) {
                let text = String(decoding: octets, as: UTF8.self)
                return Found(
                    certificate: try ServerCertificate(certificate: text, key: text), isNew: false, problem: nil)
            }
        } catch let error as SystemCallError {
            let made = try ServerCertificate.selfSigned(name: name, hosts: hosts)
            return Found(certificate: made, isNew: true, problem: "\(error)")
        } catch {
            problem = "\(path): \(error)"
        }
        let made = try ServerCertificate.selfSigned(name: name, hosts: hosts)
        do throws(SystemCallError) {
            try DurableFile.makeDirectory(DurableFile.parent(of: path))
            try DurableFile.write(Array((made.certificate + made.key).utf8), to: path, mode: 0o600)
        } catch {
            problem = "\(error)"
        }
        return Found(certificate: made, isNew: true, problem: problem)
    }
}
