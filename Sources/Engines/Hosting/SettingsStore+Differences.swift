// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// What differs between two documents.
extension SettingsStore {
    /// The differences from the running settings. A value that waits for a restart is therefore reported until the
    /// restart.
    func differences(_ next: JSONValue) -> [SettingChange] { changes(from: running.document, to: next) }

    /// The differences between two written documents, with the image below both. Values are as they are shown.
    public func differences(from old: JSONValue, to new: JSONValue) -> [SettingDifference] {
        let (before, after) = (kind.completing(merged(old)), kind.completing(merged(new)))
        let (shownBefore, shownAfter) = (kind.redacting(before), kind.redacting(after))
        return changes(from: before, to: after).map { change in
            SettingDifference(
                path: change.path, from: shownBefore.at(change.path), to: shownAfter.at(change.path))
        }
    }

    /// - Parameters: documents with all defaults.
    private func changes(from old: JSONValue, to new: JSONValue) -> [SettingChange] {
        var changes: [SettingChange] = []
        for section in sections {
            Self.compare(section.field, new[section.name], old[section.name], at: "/\(section.name)", into: &changes)
        }
        return changes
    }

    private static func compare(
        _ field: FieldDescription, _ next: JSONValue?, _ now: JSONValue?, at path: String,
        into changes: inout [SettingChange]
    ) {
        guard next != now else { return }
        guard case .record(let members) = field.type, field.change == nil else {
            return changes.append(SettingChange(path, field.change ?? .needsRestart))
        }
        for member in members {
            compare(
                member, next?[member.name], now?[member.name], at: "\(path)/\(JSONValue.pointerToken(member.name))",
                into: &changes)
        }
    }

    func keepingRestartFields(_ wanted: JSONValue, _ changes: [SettingChange]) -> JSONValue {
        var next = wanted
        for change in changes where change.effect == .needsRestart {
            next = next.replacing(change.path, with: running.document.at(change.path))
        }
        return next
    }
}

extension JSONValue {
    /// Returns the value with one member replaced.
    /// - Parameters:
    ///   - pointer: the RFC 6901 pointer of the member.
    ///   - value: the new value; nil removes the member.
    func replacing(_ pointer: String, with value: JSONValue?) -> JSONValue {
        guard let keys = JSONValue.keys(of: pointer) else { return self }
        return replacing(keys[...], with: value) ?? self
    }

    private func replacing(_ keys: ArraySlice<String>, with value: JSONValue?) -> JSONValue? {
        guard let key = keys.first, case .object(var members) = self else { return value }
        members[key] = keys.count > 1 ? members[key]?.replacing(keys.dropFirst(), with: value) : value
        return .object(members)
    }
}
