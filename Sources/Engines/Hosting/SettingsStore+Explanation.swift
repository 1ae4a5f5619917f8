// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// A setting, its value and where that comes from.
public struct SettingExplanation: Sendable {
    /// The source of a value.
    public enum Source: String, Sendable, CaseIterable { case standard = "default", image, revision }

    public let path: String
    public let field: FieldDescription
    /// The value that was written or is the default, without secrets; nil if the setting is absent.
    public let value: JSONValue?
    public let source: Source
    /// The value without the revisions: the image's, or the default; nil if the setting may be absent.
    public let standard: JSONValue?
    /// Whether the value takes effect at the next start.
    public let awaitsRestart: Bool
}

extension SettingsStore {
    public func explanation(of path: SettingsPath) throws(SettingsFailure) -> SettingExplanation {
        let complete = kind.completing(merged(written))
        let (field, value) = try path.find(in: kind, complete)
        let standard = try? path.find(in: kind, kind.completing(image)).1  // an element that the image does not have
        let pointer = path.pointer
        let source: SettingExplanation.Source =
            has(pointer, written) ? .revision : has(pointer, image) ? .image : .standard
        func shown(_ value: JSONValue?) -> JSONValue? {
            guard let value else { return nil }
            if field.isSecret { return value.isNull || value == "" ? value : ValueKind.mask }
            return kind.redacting(complete).at(pointer) ?? value
        }
        return SettingExplanation(
            path: pointer, field: field, value: shown(value), source: source,
            standard: field.isSecret ? nil : standard,
            awaitsRestart: value != (try? path.find(in: kind, running.document).1))  // no such element: it is new
    }

    /// Whether the document has the setting, or something within it.
    private func has(_ pointer: String, _ document: JSONValue) -> Bool {
        var rest = document
        for token in pointer.split(separator: "/") {
            if rest.array != nil { return true }
            guard let next = rest[String(token).replacing("~1", with: "/").replacing("~0", with: "~")] else {
                return false
            }
            rest = next
        }
        return true
    }
}
