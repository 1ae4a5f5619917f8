// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import SignedEnvelopes

/// The highest sequence of the group commands that a box had of each key. A key is known by its fingerprint and not by its
/// id: the settings may give the id to another key, or the key another id.
public struct SequenceMemory: Equatable, KeptMemory {
    public static let fileName = "group-commands.json"
    /// Keys of which a sequence is remembered. More than the settings have: keys are replaced by others, and the sequences of
    /// those that were are kept, so that nothing counts again if one of them comes back.
    public static let mostKeys = 256

    private var highest: [String: Int64] = [:]

    public init() {}

    /// - Returns: 0 if there was no command of this key.
    public subscript(fingerprint: String) -> Int64 { highest[fingerprint] ?? 0 }

    /// Fingerprints with their sequences, in an order that is always the same.
    public var rows: [(fingerprint: String, highest: Int64)] {
        highest.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// - Returns: false if there is no room for one more key.
    mutating func remember(_ sequence: Int64, of fingerprint: String) -> Bool {
        guard highest[fingerprint] != nil || highest.count < Self.mostKeys else { return false }
        highest[fingerprint] = max(sequence, self[fingerprint])
        return true
    }

    public var octets: [UInt8] {
        let rows: [JSONValue] = rows.map { ["fingerprint": .string($0.fingerprint), "highest": .integer($0.highest)] }
        return (["memory": 1, "keys": .array(rows)] as JSONValue).octets(pretty: true)
    }

    private static let kind = ValueKind.record([
        FieldDescription("memory", .integer(1...1), .required, "Version of the file's form."),
        FieldDescription(
            "keys",
            .list(
                of: .record([
                    FieldDescription("fingerprint", .text(64...64), .required, "Of the key."),
                    FieldDescription("highest", .integer(SignedCommand.sequences), .required, "Highest sequence."),
                ]), 0...mostKeys), .required, "What was had of each key."),
    ])

    public init(parsing octets: [UInt8]) throws {
        let document = try JSONValue.parse(octets, limits: JSONLimits(maximumDepth: 3, maximumOctets: 64 << 10))
        if let problem = Self.kind.problems(of: document).first { throw EnvelopeError.invalid([problem]) }
        for row in document["keys"]?.array ?? [] {
            _ = remember(row["highest"]?.integer ?? 0, of: row["fingerprint"]?.string ?? "")
        }
    }
}
