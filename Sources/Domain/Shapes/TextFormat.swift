// SPDX-License-Identifier: Apache-2.0
import JSON

/// The rule for a text of a certain form, such as an address.
public struct TextFormat: Sendable {
    /// A phrase that completes the sentence "expected …".
    public let expectation: String
    /// The part of the rule that JSON Schema can express, without `type`.
    public let schema: [String: JSONValue]
    /// Whether the text is the path of a file on the machine where it is typed.
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

    /// The path of a file on the client's machine.
    public static let file = TextFormat("a path", schema: ["minLength": 1], isFile: true) { text in
        !text.isEmpty && !text.utf8.contains(0)
    }
}
