// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

@testable import Reports

/// `config/report.schema.json`.
@Suite struct ReportSchemaTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "config/report.schema.json")

    /// `TOUCHLINE_WRITE_SCHEMA=1` writes it anew.
    @Test func committedSchemaIsTheGeneratedOne() throws {
        let text = Report.jsonSchema.text(pretty: true)
        if ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_SCHEMA"] != nil {
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == text)
    }

    private static let patches: [(patch: JSONValue, isRefused: Bool)] = [
        ([:], false), (["report": 2], true), (["report": .null], true), (["box": ""], true),
        (["box": .string(String(repeating: "é", count: 64))], false),
        (["box": .string(String(repeating: "é", count: 65))], true), (["boot": "a-b"], true),
        (["sequence": 0], true), (["sequence": 1.5], true), (["sequence": 2.0], false), (["kind": "x"], true),
        (["kind": "event"], false), (["monotonicMs": -1], true), (["coversMs": .null], true), (["wall": 7], true),
        (["wall": .null], false), (["later": [:]], false), (["identity": ["later": 1]], false),
        (["identity": ["name": 1]], true), (["dimensions": ["a", "b", "c", "d"]], true), (["wifi": [[:]]], true),
        (["wifi": [["interface": "w", "later": 1]]], false), (["statistics": 7], true), (["events": [7]], true),
    ]

    @Test(.enabled(if: JSONSchemaPeer.isThere, "python3-jsonschema is not there: the schema is not cross-checked"))
    func anotherValidatorAgrees() throws {
        let documents = Self.patches.map { Report.sample().document.merging(patch: $0.patch) }
        let verdicts = try JSONSchemaPeer.verdicts(on: documents.map { $0.text() }, schema: Self.file.path)
        #expect(verdicts.count == documents.count)
        for (index, isValid) in verdicts.enumerated() {
            let isTaken = (try? Report(documents[index])) != nil
            #expect(isValid == !Self.patches[index].isRefused && isTaken == isValid, "\(documents[index].text())")
        }
    }
}
