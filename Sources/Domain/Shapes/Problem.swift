// SPDX-License-Identifier: Apache-2.0
import JSON

/// One thing that is wrong with a configuration document: which field, what it holds, what was expected.
public struct Problem: Equatable, Sendable, CustomStringConvertible {
    /// RFC 6901 pointer.
    public let path: String
    /// Nil when the field is absent, secret, or named wrongly itself.
    public let value: JSONValue?
    public let expectation: String
    /// No field has this name.
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
