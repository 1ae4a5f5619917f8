// SPDX-License-Identifier: Apache-2.0
import JSON
import Settings
import Shapes

/// A section of the settings' document as a type. A feature declares it, with one line for each field.
public protocol SettingsSection: Record {
    static var name: String { get }
    static var help: String { get }
    /// Whether only the local control socket, and signed orders, may change it.
    static var isLocalOnly: Bool { get }
    /// Violations of rules that the bounds of single fields cannot express, such as a field that needs another one.
    /// Their paths begin at the section.
    var problems: [Problem] { get }
}

extension SettingsSection {
    public static var isLocalOnly: Bool { false }
    public var problems: [Problem] { [] }
}

/// A section described without its Swift type.
public struct SectionDescription: Sendable {
    public let field: FieldDescription
    /// Checks only the rules between fields. Its argument is the section with all defaults.
    let problems: @Sendable (JSONValue) -> [Problem]

    public init<S: SettingsSection>(_ type: S.Type) {
        let group = FieldDescription.group(S.name, S.help, S.descriptions)
        field = S.isLocalOnly ? group.locally() : group
        problems = { value in
            S(reading: value).problems.map { problem in
                Problem(
                    path: "/\(S.name)\(problem.path)", value: problem.value, isUnknown: problem.isUnknown,
                    expectation: problem.expectation)
            }
        }
    }

    /// A section that no feature declares. It is read at start, and a change takes effect with a restart.
    public init(_ field: FieldDescription) {
        self.field = field
        problems = { _ in [] }
    }

    public var name: String { field.name }
}

/// Settings with all defaults, which are read by the type of a section, or all together.
public struct SettingsView: Equatable {
    public let document: JSONValue
    /// All settings, read from the document when somebody first asks. Copies of the view share them: with a thousand
    /// channels, reading takes milliseconds.
    private let whole = Whole()

    private final class Whole {
        var settings: Settings?
    }

    public init(_ document: JSONValue) { self.document = document }

    /// The settings as engines take them.
    public var settings: Settings {
        if let settings = whole.settings { return settings }
        let settings = Settings(effective: SettingsReader(document))
        whole.settings = settings
        return settings
    }

    public static func == (a: SettingsView, b: SettingsView) -> Bool { a.document == b.document }

    public subscript<S: SettingsSection>(_ type: S.Type) -> S { S(reading: document[S.name] ?? [:]) }
}
