// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signing
import Testing

@testable import Telemetry

@Suite final class ReporterIdentityTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-identity-\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: directory) }  // hurts nobody

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: directory + "/" + name)[.posixPermissions] as? Int
    }

    @Test func keyAndCredentialAreKept() throws {
        let made = try ReporterIdentity(directory)
        #expect(made.credential(of: "https://a") == nil)
        try made.keep("tl-1", of: "https://a")
        let again = try ReporterIdentity(directory)
        #expect(again.key.verifyingKey == made.key.verifyingKey)
        #expect(again.credential(of: "https://a") == "tl-1" && again.credential(of: "https://b") == nil)
        #expect(try mode("key.pem") == 0o600 && mode("credential.json") == 0o600)
        try again.keep("tl-2", of: "https://b")
        #expect(again.credential(of: "https://a") == nil && again.credential(of: "https://b") == "tl-2")
    }

    /// A new key would be another box, which somebody has to approve: that is for a person to decide.
    @Test func aDamagedKeyIsNotReplaced() throws {
        _ = try ReporterIdentity(directory)
        let path = directory + "/key.pem"
        try Data("-----BEGIN".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: KeyError.self) { _ = try ReporterIdentity(self.directory) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "-----BEGIN")
    }

    @Test func aDamagedCredentialIsNone() throws {
        try ReporterIdentity(directory).keep("tl-1", of: "https://a")
        for text in ["", "{", "[]", #"{"reporter":"https://a"}"#, #"{"reporter":7,"credential":"x"}"#] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/credential.json"))
            #expect(try ReporterIdentity(directory).credential(of: "https://a") == nil, "\(text)")
        }
    }

    @Test func theReportersPathsFollowFromItsURL() {
        #expect(EnrolmentSending.root(of: "https://r.example/x/v1/boxes/{box}/reports") == "https://r.example/x")
        for url in [nil, "", "https://r.example/v1/boxes/b/reports", "https://r.example/{box}"] {
            #expect(EnrolmentSending.root(of: url) == nil, "\(url ?? "-")")
        }
    }
}
