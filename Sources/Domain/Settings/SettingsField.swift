// SPDX-License-Identifier: Apache-2.0
import JSON

/// A field of the configuration document, described once: validation, defaults, redaction and the JSON Schema follow.
public struct SettingsField: Sendable {
    public enum Presence: Sendable {
        /// Must be written: only inside the elements of an array.
        case required
        /// Taken when it is absent or null.
        case defaulted(JSONValue)
        /// May be absent; stays so.
        case optional
    }

    public let name: String
    public let type: SettingsType
    public let presence: Presence
    /// One sentence for a technician.
    public let help: String
    /// Masked wherever settings are shown.
    public let isSecret: Bool

    public init(
        _ name: String, _ type: SettingsType, _ presence: Presence, isSecret: Bool = false, _ help: String
    ) {
        self.name = name
        self.type = type
        self.presence = presence
        self.isSecret = isSecret
        self.help = help
    }

    /// A field that holds others; its default is theirs.
    public static func group(_ name: String, _ help: String, _ fields: [SettingsField]) -> SettingsField {
        SettingsField(name, .group(fields), .defaulted([:]), help)
    }
}
