// SPDX-License-Identifier: Apache-2.0
import JSON

extension ValueKind {
    /// Returns `value` with defaults for the members that it leaves out.
    /// - Parameter value: a value that the kind accepts.
    public func completing(_ value: JSONValue) -> JSONValue {
        switch self {
        case .anything, .boolean, .number, .text, .formatted, .choice: return value
        case .integer: return value.integer.map { .integer($0) } ?? value
        case .list(let element, _): return .array((value.array ?? []).map(element.completing))
        case .map(let element):
            return .object((value.object ?? [:]).filter { !$0.value.isNull }.mapValues(element.completing))
        case .record(let fields):
            var members: [String: JSONValue] = [:]
            for field in fields {
                if let written = value[field.name], !written.isNull {
                    members[field.name] = field.type.completing(written)
                } else if case .defaulted(let standard) = field.presence {
                    members[field.name] = field.type.completing(standard)
                }
            }
            return .object(members)
        case .wordOr(_, let kind), .textOr(_, let kind): return value.string == nil ? kind.completing(value) : value
        case .nullable(let kind): return value.isNull ? value : kind.completing(value)
        }
    }

    /// Returns `value` with its secrets masked. A secret that is null or empty stays, to show that none is set.
    public func redacting(_ value: JSONValue) -> JSONValue {
        switch (self, value) {
        case (.record(let fields), .object(var members)):
            for field in fields {
                guard let member = members[field.name] else { continue }
                let isMasked = field.isSecret && !member.isNull && member != ""
                members[field.name] = isMasked ? Self.mask : field.type.redacting(member)
            }
            return .object(members)
        case (.list(let element, _), .array(let elements)): return .array(elements.map(element.redacting))
        case (.map(let element), .object(let members)): return .object(members.mapValues(element.redacting))
        case (.wordOr(_, let kind), _), (.textOr(_, let kind), _):
            return value.string == nil ? kind.redacting(value) : value
        case (.nullable(let kind), _): return value.isNull ? value : kind.redacting(value)
        default: return value
        }
    }

    /// Returns `value` with each mask replaced by the secret in `secrets`, so that settings that were read can be
    /// written back unchanged. A mask within a list stays, because elements of lists have no identity.
    public func unmasking(_ value: JSONValue, with secrets: JSONValue) -> JSONValue {
        guard case .record(let fields) = self, case .object(var members) = value else { return value }
        for field in fields {
            guard let member = members[field.name] else { continue }
            if !field.isSecret {
                members[field.name] = field.type.unmasking(member, with: secrets[field.name] ?? [:])
            } else if member == Self.mask {
                members[field.name] = secrets[field.name]
            }
        }
        return .object(members)
    }

    /// The text that is shown in place of a secret.
    public static let mask: JSONValue = "********"
}
