// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Shapes
import TestSupport
import Testing

@testable import Settings

struct SettingsSchemaTests {
    /// `TOUCHLINE_WRITE_SCHEMA=1` writes it anew.
    @Test func committedSchemaIsTheGeneratedOne() throws {
        let schemas = [
            (Settings.layoutSchema, ConfigFiles.layoutSchema),
            (BoardDecoders.jsonSchema, ConfigFiles.decoderSchema),
        ]
        for (schema, file) in schemas {
            let generated = schema.text(pretty: true)
            if ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_SCHEMA"] != nil {
                try generated.write(to: file, atomically: true, encoding: .utf8)
            }
            #expect(String(decoding: try ConfigFiles.octets(file), as: UTF8.self) == generated)
        }
    }

    /// As `config/CONVENTIONS.md` has it.
    @Test func namesAreCamelCase() {
        func visit(_ schema: JSONValue) {
            for name in schema["properties"]?.object?.keys.map({ $0 }) ?? [] {
                #expect(name.wholeMatch(of: #/[a-z]+[0-9]*([A-Z]+[a-z]*)*/#) != nil, "\(name)")
            }
            for part in schema.object?.values.map({ $0 }) ?? schema.array ?? [] { visit(part) }
        }
        visit(Settings.jsonSchema(of: Settings.fields))
        visit(Settings.layoutSchema)
        visit(BoardDecoders.jsonSchema)
    }

    @Test func examplesAreValid() throws {
        #expect(ConfigFiles.examples.count >= 4)
        for example in ConfigFiles.examples {
            let document = try Settings.document(parsing: ConfigFiles.octets(example))
            _ = try Settings.effective(document)
        }
    }

    /// A second opinion: what python3-jsonschema accepts and refuses is what we do.
    @Test(.enabled(if: JSONSchemaPeer.isThere, "python3-jsonschema is not there: the schema is not cross-checked"))
    func anotherValidatorAgrees() throws {
        let refused = [
            #"{"output":{"width":63}}"#, #"{"output":{"depth":8}}"#, #"{"licence":{}}"#, #"{"box":7}"#, "[]",
            #"{"channels":[{"name":"One","port":1}]}"#, #"{"network":{"wifiApInfo":[{"name":"a","bssid":"0"}]}}"#,
            #"{"log":{"level":"trace"}}"#, #"{"log":{"subsystems":{"A b":"info"}}}"#, #"{"box":{"name":"a\u0007"}}"#,
            #"{"sound":{"muted":"yes"}}"#, #"{"playlists":[{"items":[{"file":"/a"}]}]}"#,
            #"{"control":{"socket":"run/x"}}"#, #"{"network":{"interface":"a/b"}}"#, #"{"lineUp":{"order":"size"}}"#,
            #"{"lineUp":{"order":["A",7]}}"#, #"{"lineUp":{"views":[{"channels":["A"]}]}}"#,
            #"{"layouts":[{"name":"A","regions":[]}]}"#, #"{"layouts":[{"name":"A","regions":[{"x":1}]}]}"#,
            #"{"layouts":[{"name":"A","regions":[{"name":"main","fit":"zoom"}]}]}"#,
            #"{"screenText":{"timeZone":"/etc/x"}}"#,
        ]
        let accepted = [
            "{}", #"{"output":{"width":64.0}}"#, #"{"output":null}"#, #"{"log":{"subsystems":{"lineup":null}}}"#,
            #"{"channels":[{"name":"One","address":"239.1.1.1","port":1,"source":null}]}"#,
            #"{"screenText":{"timeZone":"America/Argentina/Salta"}}"#, #"{"screenText":{"timeZone":"Etc/GMT+5"}}"#,
            #"{"lineUp":{"order":null}}"#, #"{"lineUp":{"order":["A"]}}"#, #"{"lineUp":{"order":"name"}}"#,
            #"{"layouts":[{"name":"A","regions":[{"name":"main","crop":{"x":5000,"width":5000}}]}]}"#,
        ]
        for text in refused { #expect(throws: SettingsError.self) { try Settings(parsing: Array(text.utf8)) } }
        for text in accepted { _ = try Settings(parsing: Array(text.utf8)) }
        let examples = try ConfigFiles.examples.map { String(decoding: try ConfigFiles.octets($0), as: UTF8.self) }
        let lines = try (refused + accepted + examples).map { try JSONValue.parse($0).text() }
        let verdicts = try JSONSchemaPeer.verdicts(on: lines, schema: ConfigFiles.schema.path)
        let expected = refused.map { ($0, false) } + (accepted + examples).map { ($0, true) }
        #expect(verdicts.count == expected.count)
        for ((text, isValid), verdict) in zip(expected, verdicts) { #expect(verdict == isValid, "\(text)") }
    }

    @Test func masksSecretsWhereverTheyAre() {
        let table = ValueKind.record([
            FieldDescription("token", .text(0...8), .defaulted(""), isSecret: true, "A secret."),
            FieldDescription("note", .text(0...8), .defaulted(""), "No secret."),
            FieldDescription(
                "peers",
                .list(
                    of: .record([FieldDescription("key", .text(1...8), .required, isSecret: true, "A secret.")]), 0...4),
                .defaulted([]), "Peers."),
        ])
        let document: JSONValue = ["token": "hunter2", "note": "plain", "peers": [["key": "x"]]]
        #expect(
            table.redacting(document)
                == ["token": "********", "note": "plain", "peers": [["key": "********"]]])
        #expect(table.redacting(["token": ""]) == ["token": ""])
        #expect(
            table.problems(of: ["token": "far too long"]).map(\.description) == [
                "/token: expected a text of 0...8 characters"
            ])
    }
}
