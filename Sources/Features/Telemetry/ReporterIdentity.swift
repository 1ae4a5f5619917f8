// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Signing
import System

/// By what the box is known to a reporter: a key, which it makes once, and the credential that a reporter has given for
/// it. Both lie in files that their owner alone reads, and are told to nobody.
/// - Thread: any that may wait for the disk, one at a time.
final class ReporterIdentity {
    /// What the file of the credential has.
    private struct Kept: Record, Equatable {
        /// Where the reporter is, by its URL.
        var reporter = ""
        var credential = ""

        static let shape = Shape<Self>([
            .required("reporter", \.reporter, .text(1...1_024), "Whose it is."),
            .required("credential", \.credential, .text(1...256), "What is sent."),
        ])
    }

    let key: SigningKey
    private let directory: String
    private var kept: Kept?

    private var keyPath: String { directory + "/key.pem" }
    private var credentialPath: String { directory + "/credential.json" }

    /// Reads the files. A key that is missing is made; one that is damaged is not: it would be another box.
    /// - Parameter directory: need not exist.
    init(_ directory: String) throws {
        self.directory = directory
        let keyPath = directory + "/key.pem"
        if let octets = try DurableFile.read(keyPath, limit: 4_096) {
            key = try SigningKey(pem: String(decoding: octets, as: UTF8.self))
        } else {
            key = try SigningKey(seed: try SystemRandom.bytes(32))
            try DurableFile.makeDirectory(directory, mode: 0o700)
            try DurableFile.write(Array(key.pem.utf8), to: keyPath, mode: 0o600)
        }
        guard let octets = try DurableFile.read(directory + "/credential.json", limit: 16 << 10),
            let document = try? JSONValue.parse(octets, limits: JSONLimits(maximumDepth: 2)),
            Kept.kind.problems(of: document).isEmpty
        else { return }  // without a credential the box asks for one
        kept = Kept(reading: document)
    }

    /// nil if the reporter has given none.
    func credential(of reporter: String) -> String? { kept?.reporter == reporter ? kept?.credential : nil }

    /// Keeps a credential, in the place of the one before.
    func keep(_ credential: String, of reporter: String) throws(SystemCallError) {
        var new = Kept()
        (new.reporter, new.credential) = (reporter, credential)
        // What cannot be written counts until the service ends; then the box asks for another one.
        kept = new
        try DurableFile.write(new.json.octets(pretty: true), to: credentialPath, mode: 0o600)
    }
}
