// SPDX-License-Identifier: Apache-2.0
import JSON

/// Reads typed values from an effective document. Its fields have been checked, so a missing one is our bug.
public struct SettingsReader {
    private let value: JSONValue

    public init(_ effective: JSONValue) { value = effective }

    public func text(_ name: String) -> String {
        guard let text = value[name]?.string else { missing(name) }
        return text
    }

    /// nil if the field is absent or `""`.
    public func optionalText(_ name: String) -> String? {
        value[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    public func integer(_ name: String) -> Int {
        guard let integer = optionalInteger(name) else { missing(name) }
        return integer
    }

    public func optionalInteger(_ name: String) -> Int? { value[name]?.integer.map { Int($0) } }

    public func boolean(_ name: String) -> Bool {
        guard let boolean = value[name]?.bool else { missing(name) }
        return boolean
    }

    public func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice {
        guard let choice = Choice(rawValue: text(name)) else { missing(name) }
        return choice
    }

    public func group(_ name: String) -> SettingsReader {
        guard let member = value[name] else { missing(name) }
        return SettingsReader(member)
    }

    public func optionalGroup(_ name: String) -> SettingsReader? {
        value[name].flatMap { $0.isNull ? nil : SettingsReader($0) }
    }

    public func groups(_ name: String) -> [SettingsReader] { list(name).map { SettingsReader($0) } }

    public func texts(_ name: String) -> [String] { list(name).compactMap(\.string) }

    /// Whether the field is present and not null.
    public func has(_ name: String) -> Bool { value[name].map { !$0.isNull } ?? false }

    public func map(_ name: String) -> [String: String] {
        guard let members = value[name]?.object else { missing(name) }
        return members.compactMapValues(\.string)
    }

    /// The members of an object that may hold any values.
    public func values(_ name: String) -> [String: JSONValue] {
        guard let members = value[name]?.object else { missing(name) }
        return members
    }

    private func list(_ name: String) -> [JSONValue] {
        guard let elements = value[name]?.array else { missing(name) }
        return elements
    }

    private func missing(_ name: String) -> Never { preconditionFailure("no '\(name)' as the table describes it") }
}
