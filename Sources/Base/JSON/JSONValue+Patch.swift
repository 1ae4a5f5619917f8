// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// This value after a JSON merge patch (RFC 7396): members of objects are merged, `null` removes a member, any
    /// other value replaces.
    public func merging(patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? [:]
        for (key, change) in changes {
            if change.isNull {
                members.removeValue(forKey: key)
            } else {
                members[key] = (members[key] ?? .null).merging(patch: change)
            }
        }
        return .object(members)
    }
}
