// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// A field that has a new value.
public struct SettingChange: Equatable, Sendable {
    /// The RFC 6901 pointer of the field.
    public let path: String
    public let effect: LiveChange

    public init(_ path: String, _ effect: LiveChange) {
        self.path = path
        self.effect = effect
    }
}

/// A field whose value differs between two documents.
public struct SettingDifference: Equatable, Sendable {
    /// The RFC 6901 pointer of the field.
    public let path: String
    /// nil if the document has no value there.
    public let from: JSONValue?
    public let to: JSONValue?
}

/// What a change of settings did, or would do.
public struct SettingsOutcome: Equatable, Sendable {
    /// The revision that is in force.
    public let revision: Int
    /// Each field whose value differs, and the effect of its change.
    public let changes: [SettingChange]
    /// What has to prove itself before the change is confirmed; nil if it is confirmed already.
    public let confirmation: PendingConfirmation?
}

/// A revision in force that is not confirmed yet.
public struct PendingConfirmation: Equatable, Sendable {
    /// The revision that is in force again if this one is not confirmed.
    public let returnTo: SettingsRevision
    public internal(set) var watch: ConfirmationWatch
    /// Whether a part of the change takes effect with a restart. It is confirmed after that only, or by hand.
    public let awaitsRestart: Bool
}

/// A change of the written document.
public enum SettingsEdit: Equatable, Sendable {
    /// A JSON Merge Patch (RFC 7396, SVM-22): absent members stay unchanged, null restores the default, and arrays are
    /// replaced whole.
    case merge(JSONValue)
    /// The whole new document. Fields that are absent get their defaults.
    case replace(JSONValue)
    /// One setting; a text may be the JSON of the value.
    case set(SettingsPath, JSONValue)
    /// The default of one setting, or a list without this element.
    case reset(SettingsPath)
}
