// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// A member of the settings' document that a feature declares: one line a field.
public protocol SettingsSection: Record {
    static var name: String { get }
    static var help: String { get }
    /// What the bounds of single fields cannot say, such as one field that needs another. Paths begin at the section.
    var problems: [Problem] { get }
}

extension SettingsSection {
    public var problems: [Problem] { [] }
}

/// A section without its Swift type.
public struct SectionDescription: Sendable {
    public let field: FieldDescription
    /// Nothing but rules between fields; of an effective section.
    let problems: @Sendable (JSONValue) -> [Problem]

    public init<S: SettingsSection>(_ type: S.Type) {
        field = .group(S.name, S.help, S.descriptions)
        problems = { value in
            S(reading: value).problems.map { problem in
                Problem(
                    path: "/\(S.name)\(problem.path)", value: problem.value, isUnknown: problem.isUnknown,
                    expectation: problem.expectation)
            }
        }
    }

    /// A member that no feature has yet: it is read at start and changes with a restart.
    public init(_ field: FieldDescription) {
        self.field = field
        problems = { _ in [] }
    }

    public var name: String { field.name }
}

/// Settings with every default filled in, read by type.
public struct SettingsView: Equatable, Sendable {
    public let document: JSONValue

    public init(_ document: JSONValue) { self.document = document }

    public subscript<S: SettingsSection>(_ type: S.Type) -> S { S(reading: document[S.name] ?? [:]) }
}
