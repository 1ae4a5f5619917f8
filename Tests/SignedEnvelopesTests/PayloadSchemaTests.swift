// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing
import Time

@testable import SignedEnvelopes

/// `config/order.schema.json` and `config/group-command.schema.json`.
@Suite struct PayloadSchemaTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "config")
    private static let order = folder.appending(path: "order.schema.json")
    private static let command = folder.appending(path: "group-command.schema.json")

    /// `TOUCHLINE_WRITE_SCHEMA=1` writes them anew.
    @Test func committedSchemasAreTheGeneratedOnes() throws {
        for (schema, file) in [(SignedOrder.jsonSchema, Self.order), (SignedCommand.jsonSchema, Self.command)] {
            let text = schema.text(pretty: true)
            if ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_SCHEMA"] != nil {
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }
    }

    /// Patches of a sample that is taken. `isRefused` by both; what only the order of times makes wrong is not among them.
    private static let ofBoth: [(patch: JSONValue, isRefused: Bool)] = [
        ([:], false), (["target": .null], true), (["target": ["group": .null]], true),
        (["target": ["group": .null, "all": true]], false), (["target": ["group": .null, "all": false]], true),
        (["target": ["tag": "vip"]], true), (["target": ["group": .null, "tag": "vip"]], false),
        (["target": ["group": .null, "box": "", "tag": .null]], true), (["target": ["more": 1]], true),
        (["expires": "soon"], true), (["expires": .null], true), (["expires": 7], true), (["more": 1], true),
    ]
    private static let ofOrders: [(patch: JSONValue, isRefused: Bool)] = [
        (["order": 2], true), (["order": .null], true), (["revision": 0], true), (["revision": "7"], true),
        (["revision": .integer((1 << 53) + 1)], true), (["revision": .integer(1 << 53)], false), (["base": 0], true),
        (["base": .null], false), (["confirmWithinS": 9], true), (["comment": "a\u{7}"], true),
        (["comment": .string(String(repeating: "é", count: 256))], false), (["settings": .null], true),
        (["settings": ["merge": .null]], true), (["settings": ["replace": [:]]], true),
        (["settings": ["merge": .null, "replace": [:]]], false), (["settings": ["merge": 7]], true),
        (["settings": ["merge": []]], true), (["settings": ["more": 1]], true),
    ]
    private static let ofCommands: [(patch: JSONValue, isRefused: Bool)] = [
        (["groupCommand": 2], true), (["sequence": 0], true), (["sequence": 1.5], true), (["sent": .null], true),
        (["command": ""], true), (["command": .string(String(repeating: "a", count: 33))], true),
        (["arguments": 7], true), (["arguments": []], true), (["arguments": .null], false), (["at": "x"], true),
    ]

    @Test(.enabled(if: JSONSchemaPeer.isThere, "python3-jsonschema is not there: the schemas are not cross-checked"))
    func anotherValidatorAgrees() throws {
        let command = SignedCommand(
            target: .group("bar"), sequence: 7, sent: Order.sample.expires,
            expires: Order.sample.expires.adding(seconds: 10), command: "tune", arguments: ["channel": "Arena"])
        for (sample, patches, file) in [
            (Order.sample.json, Self.ofBoth + Self.ofOrders, Self.order),
            (command.json, Self.ofBoth + Self.ofCommands, Self.command),
        ] {
            let documents = patches.map { sample.merging(keepingNulls: $0.patch) }
            let verdicts = try JSONSchemaPeer.verdicts(on: documents.map { $0.text() }, schema: file.path)
            #expect(verdicts.count == patches.count)
            for (index, isValid) in verdicts.enumerated() {
                let isTaken =
                    file == Self.order
                    ? (try? SignedOrder(documents[index])) != nil : (try? SignedCommand(documents[index])) != nil
                #expect(isValid == !patches[index].isRefused && isTaken == isValid, "\(documents[index].text())")
            }
        }
    }
}

extension WallTime {
    fileprivate func adding(seconds: Int64) -> WallTime { WallTime(nanoseconds: nanoseconds + seconds * 1_000_000_000) }
}

extension JSONValue {
    /// With the members of the patch, those that are null as well.
    fileprivate func merging(keepingNulls patch: JSONValue) -> JSONValue {
        guard let members = object, let changes = patch.object else { return patch }
        return .object(
            members.merging(changes.map { ($0.key, (members[$0.key] ?? .null).merging(keepingNulls: $0.value)) }) { $1 }
        )
    }
}
