// SPDX-License-Identifier: Apache-2.0
import JSON

/// A member of settings, arguments, an answer or an event, without its Swift type.
public struct FieldDescription: Sendable {
    public enum Presence: Sendable {
        /// Must be there.
        case required
        /// Taken if the field is absent or null.
        case defaulted(JSONValue)
        /// May be absent; stays so.
        case optional
    }

    /// Where an argument of a command stands. Fields of answers, events and settings are members.
    public enum Place: String, Sendable, CaseIterable {
        case member
        /// On a command line the word without a name.
        case position
        /// On a command line `--name VALUE`.
        case option
        /// An option that the client keeps for itself; never on the wire.
        case clientOption
    }

    public let name: String
    public let type: ValueKind
    public let presence: Presence
    /// One sentence for a technician.
    public let help: String
    /// Masked wherever settings are shown.
    public var isSecret = false
    public var place = Place.member
    /// The effect of a new value on a box that plays; nil if the field is no setting.
    public var change: LiveChange?
    /// How people read the field of an answer.
    public var display = FieldDisplay()
    /// The command that lists the names that may stand here; nil if there is none.
    public var names: String?

    public init(
        _ name: String, _ type: ValueKind, _ presence: Presence, isSecret: Bool = false, _ help: String
    ) {
        self.name = name
        self.type = type
        self.presence = presence
        self.isSecret = isSecret
        self.help = help
    }

    /// A field that holds others; its default is theirs.
    public static func group(_ name: String, _ help: String, _ fields: [FieldDescription]) -> FieldDescription {
        FieldDescription(name, .record(fields), .defaulted([:]), help)
    }

    public var isRequired: Bool {
        if case .required = presence { true } else { false }
    }

    /// The default; nil if the field is required or may be absent.
    public var standard: JSONValue? {
        if case .defaulted(let value) = presence { value } else { nil }
    }

    var takesNull: Bool {
        guard isRequired else { return false }
        switch type {
        case .nullable, .anything: return true
        default: return false
        }
    }
}

/// What a setting's new value does to a box that plays.
public enum LiveChange: String, Sendable, CaseIterable, Comparable {
    case atOnce, interruptsSound, interruptsPicture, needsRestart

    public static func < (a: LiveChange, b: LiveChange) -> Bool {
        (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
}

/// How people read a field of an answer.
public struct FieldDisplay: Equatable, Sendable {
    public enum Style: String, Sendable, CaseIterable {
        case plain
        /// Hours and minutes of a local time in RFC 3339.
        case clock
        /// Minutes of a span in milliseconds.
        case minutes
    }

    /// Left out of tables; `--long` and `--json` have it.
    public var isDetail = false
    public var style = Style.plain
    /// The title of the column; nil: the name of the field.
    public var title: String?

    public init(isDetail: Bool = false, style: Style = .plain, title: String? = nil) {
        self.isDetail = isDetail
        self.style = style
        self.title = title
    }
}
