// SPDX-License-Identifier: Apache-2.0
import Foundation
import System
import TestSupport
import Testing

@testable import Certificates

struct ServerCertificateTests {
    private static let made = Result {
        try ServerCertificate.selfSigned(name: "Touchline 1", hosts: (["localhost", "box"], ["127.0.0.1", "::1"]))
    }
    private static let other = Result { try ServerCertificate.selfSigned(name: "Touchline 2", hosts: ([], [])) }

    /// A clock that stands in 1970 finds it valid, and so does one of the year 9999.
    @Test func theOwnIsValidAtAnyTime() throws {
        let own = try Self.made.get()
        #expect(own.validFrom.seconds == 0 && own.validFrom.description == "1970-01-01T00:00:00Z")
        #expect(own.validUntil.description == "9999-12-31T23:59:59Z")
        #expect(own.digest.count == 32 && own.publicKeyDigest.count == 32 && own.digest != own.publicKeyDigest)
        #expect(own.fingerprint.count == 95 && own.fingerprint.allSatisfy { $0.isHexDigit || $0 == ":" })
        let again = try ServerCertificate(certificate: own.certificate, key: own.key)
        #expect(again == own && again.digest == own.digest)
        let together = own.certificate + own.key
        #expect(try ServerCertificate(certificate: together, key: together).digest == own.digest)
        #expect(try Self.other.get().digest != own.digest)
    }

    private func refusal(_ certificate: String, _ key: String) -> CertificateError? {
        do throws(CertificateError) {
            _ = try ServerCertificate(certificate: certificate, key: key)
            return nil
        } catch {
            return error
        }
    }

    @Test func whatIsWrongIsSaid() throws {
        let (own, other) = (try Self.made.get(), try Self.other.get())
        #expect(refusal(own.certificate, other.key) == .otherKey)
        #expect(refusal("", own.key) == .noCertificate && refusal("hello", own.key) == .noCertificate)
        #expect(refusal(own.certificate, "") == .noKey && refusal(own.certificate, own.certificate) == .noKey)
        let broken = own.certificate.replacingOccurrences(of: "MII", with: "!!!")
        #expect(refusal(own.certificate + broken, own.key) == .notACertificate(block: 2))
        #expect(refusal(String(repeating: own.certificate, count: 9), own.key) == .tooMany(limit: 8))
        let long = String(repeating: "x", count: ServerCertificate.longestText + 1)
        #expect(refusal(long, own.key) == .tooLong(limit: ServerCertificate.longestText))
        #expect(refusal(own.certificate, long) == .tooLong(limit: ServerCertificate.longestText))
    }

    /// Each truncation, and 2,000 texts with one octet changed, are a certificate or are refused.
    @Test func noTextTraps() throws {
        let own = try Self.made.get()
        let text = Array((own.certificate + own.key).utf8)
        for count in 0..<text.count {
            let cut = String(decoding: text[..<count], as: UTF8.self)
            #expect(refusal(cut, own.key) != nil || count >= own.certificate.utf8.count - 1)
        }
        var random = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            var changed = text
            let index = Int.random(in: 0..<changed.count, using: &random)
            changed[index] = UInt8.random(in: 0...255, using: &random)
            let whole = String(decoding: changed, as: UTF8.self)
            _ = refusal(whole, whole)
        }
    }

    // MARK: The file

    @Test func theFileIsReadAgain() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-certificate-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody
        let file = CertificateFile(directory: directory)
        let first = try file.load(name: "Touchline 1", hosts: ([], []))
        #expect(first.isNew && first.problem == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let second = try file.load(name: "Touchline 1", hosts: ([], []))
        #expect(!second.isNew && second.problem == nil && second.certificate == first.certificate)

        try DurableFile.write(Array("rubbish".utf8), to: file.path)
        let third = try file.load(name: "Touchline 1", hosts: ([], []))
        #expect(third.isNew && third.problem?.contains("certificate.pem") == true)
        #expect(third.certificate != first.certificate)
        #expect(try file.load(name: "Touchline 1", hosts: ([], [])).certificate == third.certificate)
    }

    /// A box with a full disk serves all the same.
    @Test func aDirectoryThatCannotBeMadeIsTold() throws {
        let file = CertificateFile(directory: "/dev/null/x")
        let found = try file.load(name: "Touchline 1", hosts: ([], []))
        #expect(found.isNew && found.problem != nil)
    }
}
