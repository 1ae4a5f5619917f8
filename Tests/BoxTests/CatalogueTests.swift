// SPDX-License-Identifier: Apache-2.0
import CommandLineClient
import Commands
import FeatureTesting
import Foundation
import Hosting
import JSON
import Settings
import Testing

@testable import Box

/// The client knows what this version of the service can be asked.
struct CatalogueTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let file =
        root
        .appendingPathComponent("Sources/Products/CommandLineClient/CommandLineClient+Catalogue.swift")
    private static let schema = root.appendingPathComponent("config/settings.schema.json")

    /// `TOUCHLINE_WRITE_CATALOGUE=1` writes it anew.
    @Test func committedCatalogueIsTheGeneratedOne() throws {
        let text = Self.text(of: Box.catalogue.document)
        if ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_CATALOGUE"] != nil {
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == text)
    }

    /// `TOUCHLINE_WRITE_SCHEMA=1` writes it anew.
    @Test func committedSchemaOfTheSettingsIsTheGeneratedOne() throws {
        let text = Settings.jsonSchema(of: Box.catalogue.settings).text(pretty: true)
        if ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_SCHEMA"] != nil {
            try text.write(to: Self.schema, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.schema, encoding: .utf8) == text)
    }

    /// `TOUCHLINE_WRITE_README=1` writes the rows of the features anew.
    @Test func readmeMapsEachFeature() throws {
        let readme = Self.root.appendingPathComponent("README.md")
        let text = try String(contentsOf: readme, encoding: .utf8)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = try #require(lines.firstIndex { $0.hasPrefix("| Features |") })
        lines.removeAll { $0.hasPrefix("| Features |") }
        let rows = FeatureDeclarations(Box.features).summaries.sorted { $0.name < $1.name }
        lines.insert(contentsOf: rows.map { "| Features | `\($0.name)` | \($0.text) |" }, at: place)
        let generated = lines.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_README"] != nil {
            try generated.write(to: readme, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: readme, encoding: .utf8) == generated)
    }

    /// SVM-135: sections of features included, which the settings alone do not know.
    @Test func examplesOfSettingsAreValid() throws {
        let folder = Self.root.appendingPathComponent("config/examples")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
        #expect(files.contains { $0.lastPathComponent == "sync.json" } && files.count >= 10)
        for file in files {
            let document = try JSONValue.parse(String(contentsOf: file, encoding: .utf8))
            let revision = SettingsRevision(number: 1, author: "test", document: document)
            #expect(throws: Never.self, "\(file.lastPathComponent)") {
                try SettingsStore(
                    Box.sections, revision: revision, archive: MemoryArchive(), consistency: Settings.problems)
            }
        }
    }

    @Test func nothingIsLostOnTheWayToTheClient() throws {
        let again = try #require(Catalogue(document: Box.catalogue.document))
        #expect(again.document == Box.catalogue.document)
    }

    /// A line for each command, setting and event, so that a change shows where it is.
    private static func text(of document: JSONValue) -> String {
        let members = (document.object ?? [:]).sorted { $0.key < $1.key }.map { name, list in
            "\"\(name)\": [\n" + (list.array ?? []).map { $0.text() }.joined(separator: ",\n") + "\n]"
        }
        let text = "{\n" + members.joined(separator: ",\n") + "\n}\n"
        return #"""
            // SPDX-License-Identifier: Apache-2.0
            // swift-format-ignore-file

            /// Written by `CatalogueTests` with `TOUCHLINE_WRITE_CATALOGUE=1`. It is a text, because a compiler takes
            /// minutes for an array of as many octets.
            extension CommandLineClient {
                static let catalogueText = #"""

            """# + text + "\"\"\"#\n}\n"
    }
}
