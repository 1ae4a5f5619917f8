// SPDX-License-Identifier: Apache-2.0
import JSON

/// What the JSON Schemas of payloads have in common beyond their kinds.
enum EnvelopeSchema {
    /// The value of `oneOf` for an object that has exactly one of these members; null counts as absent.
    static func exactlyOne(of names: [String]) -> JSONValue {
        .array(
            names.map { name in
                ["properties": .object([name: ["not": ["type": "null"]]]), "required": [.string(name)]]
            })
    }
}
