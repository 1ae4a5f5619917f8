// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// A box that is played by curl and openssl: it asks reporters to know it, and sends them reports.
struct EnrolledPeer {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("enrol.sh").path
    private static let report = """
        {"report":1,"box":"BOX","boot":"00000001-0123456789abcdef","sequence":SEQUENCE,"kind":"state","monotonicMs":1,\
        "coversMs":10,"identity":{"name":"Bar"}}
        """

    private let venue: TestVenue
    let box: String
    private let key: String

    init(_ venue: TestVenue, _ box: String) async throws {
        (self.venue, self.box, key) = (venue, box, venue.directory.file(box + ".pem"))
        try await venue.succeed(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key])
    }

    func enrol(at reporter: ReporterScene, _ token: String) async throws -> (code: Int, document: JSONValue) {
        let lines = try await venue.succeed([Self.script, reporter.url, box, key, token]).outputText.split(
            separator: "\n")
        return (
            Int(lines.last ?? "") ?? 0, (try? JSONValue.parse(lines.dropLast().joined(separator: "\n"))) ?? .null
        )
    }

    /// - Returns: the status.
    func send(_ sequence: Int, _ credential: String, to reporter: ReporterScene) async throws -> Int {
        let line = Self.report.replacing("BOX", with: box).replacing("SEQUENCE", with: "\(sequence)")
        return try await reporter.curl(
            "boxes/\(box)/reports", credential, "--data-binary", line, "-H", "Content-Type: application/x-ndjson"
        ).code
    }
}
