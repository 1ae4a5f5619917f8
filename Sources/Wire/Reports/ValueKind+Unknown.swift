// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// Members that a reader does not know are left alone, so that boxes and reporters of different versions understand
/// each other.
extension ValueKind {
    /// The problems of a value, of which members that the kind does not name count as absent.
    func problemsOfKnown(in value: JSONValue) -> [Problem] { problems(of: known(value)) }

    private func known(_ value: JSONValue) -> JSONValue {
        switch (self, value) {
        case (.record(let fields), .object(let members)):
            var known: [String: JSONValue] = [:]
            for field in fields { known[field.name] = members[field.name].map(field.type.known) }
            return .object(known)
        case (.list(let element, _), .array(let elements)): return .array(elements.map(element.known))
        default: return value
        }
    }

    /// The schema of the kind, by which objects may have members that the kind does not name.
    static func opened(_ schema: JSONValue) -> JSONValue {
        switch schema {
        case .object(var members):
            if members["additionalProperties"] == false { members["additionalProperties"] = nil }
            return .object(members.mapValues(opened))
        case .array(let elements): return .array(elements.map(opened))
        default: return schema
        }
    }
}
