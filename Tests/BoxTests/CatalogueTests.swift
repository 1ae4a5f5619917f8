// SPDX-License-Identifier: Apache-2.0
import CommandLineClient
import Commands
import Foundation
import JSON
import Testing

@testable import Box

/// The client knows what this version of the service can be asked.
struct CatalogueTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Products/CommandLineClient/catalogue.json")

    /// `TOUCHLINE_WRITE_CATALOGUE=1` writes it anew.
    @Test func committedCatalogueIsTheGeneratedOne() throws {
        let text = Self.text(of: Box.catalogue.document)
        if ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_CATALOGUE"] != nil {
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == text)
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
        return "{\n" + members.joined(separator: ",\n") + "\n}\n"
    }
}
