// SPDX-License-Identifier: Apache-2.0
import JSON

/// The rule that a text of a known form follows, such as an address.
public struct TextFormat: Sendable {
    /// Completes the sentence "expected …".
    public let expectation: String
    /// The part of the rule that JSON Schema can state; without `type`.
    public let schema: [String: JSONValue]
    /// Whether the text names a file of the machine where it is typed.
    public let isFile: Bool
    let accepts: @Sendable (String) -> Bool

    public init(
        _ expectation: String, schema: [String: JSONValue], isFile: Bool = false,
        accepts: @escaping @Sendable (String) -> Bool
    ) {
        self.expectation = expectation
        self.schema = schema
        self.isFile = isFile
        self.accepts = accepts
    }

    /// A file of the client's machine.
    public static let file = TextFormat("a path", schema: ["minLength": 1], isFile: true) { text in
        !text.isEmpty && !text.utf8.contains(0)
    }
}
