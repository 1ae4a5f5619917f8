// SPDX-License-Identifier: Apache-2.0
import FeatureTesting
import JSON
import Shapes

/// A setting that holds no other settings by name, or is changed as a whole.
struct SettingLeaf {
    let path: String
    let field: FieldDescription
    /// The effect that its description promises.
    let promise: LiveChange
    /// Whether it, or a group that it is in, is changed by the local control socket alone.
    let isLocalOnly: Bool

    var pointer: String { "/" + path.replacing(".", with: "/") }

    /// All leaves of the description, in its order.
    static func all(of fields: [FieldDescription]) -> [SettingLeaf] {
        fields.flatMap { leaves(of: $0, at: $0.name, isLocalOnly: false) }
    }

    private static func leaves(of field: FieldDescription, at path: String, isLocalOnly: Bool) -> [SettingLeaf] {
        let isLocalOnly = isLocalOnly || field.isLocalOnly
        guard case .record(let members) = field.type, field.change == nil else {
            return [
                SettingLeaf(
                    path: path, field: field, promise: field.change ?? .needsRestart, isLocalOnly: isLocalOnly)
            ]
        }
        return members.flatMap { leaves(of: $0, at: "\(path).\($0.name)", isLocalOnly: isLocalOnly) }
    }

    /// A valid value that differs; nil if the setting can have only one.
    func value(otherThan now: JSONValue) -> JSONValue? {
        switch field.type {
        case .boolean: return .bool(now != true)
        case .integer(let range):
            let value = now.integer ?? range.lowerBound
            if value < range.upperBound { return .integer(value + 1) }
            return value > range.lowerBound ? .integer(value - 1) : nil
        case .choice(let words): return words.map { .string($0) }.first { $0 != now }
        case .text(let length): return length.contains(5) ? "other" : "x"
        default: break
        }
        for seed in UInt64(1)...64 {
            var generator = DocumentGenerator(seed: seed)
            let value = generator.value(of: field.type)
            let isEmpty = value == "" || value == [] || value == [:]
            if !isEmpty, field.type.completing(value) != field.type.completing(now) { return value }
        }
        return nil
    }
}

extension JSONValue {
    /// A document that holds this value at a path of names with dots.
    func at(settingsPath path: String) -> JSONValue {
        path.split(separator: ".").reversed().reduce(self) { value, name in .object([String(name): value]) }
    }
}
