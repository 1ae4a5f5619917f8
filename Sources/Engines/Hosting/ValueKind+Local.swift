// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

extension ValueKind {
    /// The path of a field that only the local control socket may change and that differs; nil if none does. Both
    /// documents have all defaults. Elements of lists have no identity: what one of them had before, any may have.
    func localChange(from old: JSONValue, to new: JSONValue) -> String? {
        var (before, after): (Places, Places) = ([:], [:])
        collect(old, at: "", into: &before)
        collect(new, at: "", into: &after)
        return after.keys.sorted().first { path in !(after[path] ?? []).isSubset(of: before[path] ?? []) }
    }

    /// Values by path. The path of an element of a list has no index.
    private typealias Places = [String: Set<JSONValue>]

    private func collect(_ value: JSONValue, at path: String, into places: inout Places) {
        switch self {
        case .record(let fields):
            for field in fields {
                guard let member = value[field.name] else { continue }
                let path = "\(path)/\(field.name)"
                if field.isLocalOnly {
                    places[path, default: []].insert(member)
                } else {
                    field.type.collect(member, at: path, into: &places)
                }
            }
        case .list(let element, _): for each in value.array ?? [] { element.collect(each, at: path, into: &places) }
        case .map(let element):
            for each in (value.object ?? [:]).values { element.collect(each, at: path, into: &places) }
        case .wordOr(_, let kind), .textOr(_, let kind), .nullable(let kind):
            kind.collect(value, at: path, into: &places)
        case .anything, .boolean, .integer, .number, .text, .formatted, .choice: break
        }
    }
}
