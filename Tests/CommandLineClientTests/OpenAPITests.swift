// SPDX-License-Identifier: Apache-2.0
import Commands
import Foundation
import JSON
import Rendering
import Testing

struct OpenAPITests {
    private static let committed = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("config/openapi.json")

    /// `TOUCHLINE_WRITE_SCHEMA=1` writes it anew.
    @Test func committedDocumentIsTheGeneratedOne() throws {
        let generated = OpenAPI.document(of: catalogue).text(pretty: true)
        if ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_SCHEMA"] != nil {
            try generated.write(to: Self.committed, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.committed, encoding: .utf8) == generated)
    }

    @Test func everyCommandOfTheServiceIsThere() throws {
        let paths = try #require(OpenAPI.document(of: catalogue)["paths"]?.object)
        let commands = catalogue.commands.filter { !$0.isLocal && $0.admission != .atBox }
        let others = [
            "/v1/capture/file.pcap", "/v1/incidents/{id}", "/v1/openapi.json", "/v1/picture", "/v1/session", "/metrics",
        ]
        #expect(Set(paths.keys) == Set(commands.map { "/v1/\($0.name)" } + others))
        for command in commands {
            let path = try #require(paths["/v1/\(command.name)"])
            #expect(path["post"] != nil)
            #expect((path["get"] != nil) == command.changesNothing, "\(command.name)")
        }
    }

    @Test func rangesAreThoseOfTheTable() {
        let document = OpenAPI.document(of: catalogue)
        let volume = document.at("/paths/~1v1~1volume/post/requestBody/content/application~1json/schema")
        #expect(volume?.at("/properties/volume/maximum") == 100)
        #expect(volume?["required"] == ["volume"])
        #expect(volume?["additionalProperties"] == false)
        let kind = document.at("/paths/~1v1~1channels/get/parameters/0")
        #expect(kind?["name"] == "kind" && kind?["required"] == false)
        #expect(kind?.at("/schema/enum") == ["video", "data", "file"])
        let program = document.at("/paths/~1v1~1program/post/requestBody/content/application~1json/schema/properties")
        #expect(program?.at("/program/anyOf/0/maximum") == 65_535 && program?.at("/program/anyOf/1/maxLength") == 256)
        #expect(document.at("/paths/~1v1~1screenshot/get/responses/200/content/image~1png") != nil)
        // Over HTTP, to follow the events is a WebSocket.
        #expect(document.at("/paths/~1v1~1events/get/parameters")?.array?.count == 2)
    }

    /// A document of settings has their schema, and what no schema can say is refused with a code of its own.
    @Test func documentsAreSettings() {
        let paths = OpenAPI.document(of: catalogue)["paths"]
        for (place, member) in [
            ("/~1v1~1config/put", ""), ("/~1v1~1config/patch", ""),
            ("/~1v1~1config-check/post", "/properties/settings"),
            ("/~1v1~1config-merge/post", "/properties/settings"),
        ] {
            let schema = paths?.at("\(place)/requestBody/content/application~1json/schema\(member)")
            #expect(schema?["$ref"] == "#/components/schemas/Settings", "\(place)")
            #expect(paths?.at("\(place)/responses/422") != nil, "\(place)")
        }
    }

    /// `config-set` takes any value but null, which counts as absent; `config-reset` is the command for the default.
    @Test func requiredArgumentsAreNotNull() {
        let body = OpenAPI.document(of: catalogue).at(
            "/paths/~1v1~1config-set/post/requestBody/content/application~1json/schema")
        #expect(body?["required"] == ["path", "value"])
        #expect(body?.at("/properties/value/not") == ["type": "null"])
    }

    /// Whatever is referred to is there.
    @Test func referencesLead() {
        let document = OpenAPI.document(of: catalogue)
        func visit(_ value: JSONValue) {
            if let reference = value["$ref"]?.string {
                #expect(reference.hasPrefix("#/") && document.at(String(reference.dropFirst())) != nil)
            }
            for member in value.object?.values.map({ $0 }) ?? value.array ?? [] { visit(member) }
        }
        visit(document)
    }

    @Test func printedByTheClientAlone() throws {
        #expect(
            try Invocation(["openapi"], in: catalogue).action
                == .local(CommandRequest(command: "openapi", in: catalogue)))
        #expect(try catalogue.command(named: "openapi").isLocal)
    }
}
