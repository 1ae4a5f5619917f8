// SPDX-License-Identifier: Apache-2.0
import JSON

/// One error in a document: the field, its value, and what was expected.
public struct Problem: Equatable, Sendable, CustomStringConvertible {
    /// The RFC 6901 pointer of the field; empty for the whole document.
    public let path: String
    /// The value of the field; nil if the field is absent or secret, or if its name is the error.
    public let value: JSONValue?
    public let expectation: String
    /// Whether no field of this name exists.
    public let isUnknown: Bool

    public init(path: String, value: JSONValue? = nil, isUnknown: Bool = false, expectation: String) {
        self.path = path
        self.value = value
        self.isUnknown = isUnknown
        self.expectation = expectation
    }

    public var description: String {
        let field = path.isEmpty ? "the document" : path
        if isUnknown { return "\(field) is no field; expected \(expectation)" }
        guard let value else { return "\(field): expected \(expectation)" }
        return "\(field) is \(Self.brief(value)); expected \(expectation)"
    }

    private static func brief(_ value: JSONValue) -> String {
        switch value {
        case .array, .object: value.kind.description
        default: value.text().unicodeScalars.count <= 80 ? value.text() : "\(value.text().prefix(77))…"
        }
    }
}
