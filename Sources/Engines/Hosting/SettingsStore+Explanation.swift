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
        func here(_ document: JSONValue) -> JSONValue? {
            try? path.find(in: kind, document).1  // nil for an element that this document does not have
        }
        let source: SettingExplanation.Source =
            has(path, written) ? .revision : has(path, image) ? .image : .standard
        return SettingExplanation(
            path: path.pointer, field: field, value: here(kind.redacting(complete)), source: source,
            standard: here(kind.redacting(kind.completing(image))),
            awaitsRestart: value != here(running.document))
    }

    /// Whether the document has the setting, or something within it.
    private func has(_ path: SettingsPath, _ document: JSONValue) -> Bool {
        var rest = document
        for token in path.tokens {
            if rest.array != nil { return true }
            guard let next = rest[token] else { return false }
            rest = next
        }
        return true
    }
}
