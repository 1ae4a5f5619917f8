// SPDX-License-Identifier: Apache-2.0
import JSON

/// A member of settings, arguments, an answer or an event, described without its Swift type.
public struct FieldDescription: Sendable {
    public enum Presence: Sendable {
        /// The field has to be there.
        case required
        /// The value that is used if the field is absent or null.
        case defaulted(JSONValue)
        /// The field may be absent and has no default.
        case optional
    }

    /// Where an argument stands on a command line. Fields of answers, events and settings are members.
    public enum Place: String, Sendable, CaseIterable {
        case member
        /// A word without a name, given by position.
        case position
        /// A JSON document, given by position as the path of its file; `-` is standard input.
        case document
        /// `--name VALUE`, or `--name` alone for a Boolean.
        case option
        /// An option that only the client interprets. It is never sent.
        case clientOption
    }

    public let name: String
    public private(set) var type: ValueKind
    public let presence: Presence
    /// One sentence for a technician.
    public let help: String
    /// Whether the value is masked wherever settings are shown.
    public var isSecret = false
    public var place = Place.member
    /// What happens on a playing box when the value changes; nil if the field is no setting.
    public var change: LiveChange?
    /// Whether only the local control socket may change the setting.
    public private(set) var isLocalOnly = false
    /// How the client prints the field of an answer.
    public var display = FieldDisplay()
    /// The command that lists the valid names; nil if there is none.
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

    /// A field that holds other fields. Its default consists of their defaults.
    public static func group(_ name: String, _ help: String, _ fields: [FieldDescription]) -> FieldDescription {
        FieldDescription(name, .record(fields), .defaulted([:]), help)
    }

    /// The setting with the effect of its change. A group passes it on to the settings in it that have none.
    public func changing(_ effect: LiveChange) -> FieldDescription {
        var field = self
        if case .record(let members) = type {
            field.type = .record(members.map { $0.changing(effect) })
        } else if change == nil {
            field.change = effect
        }
        return field
    }

    /// The setting, or the group, as one that only the local control socket may change.
    public func locally() -> FieldDescription {
        var field = self
        field.isLocalOnly = true
        return field
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

/// What happens on a playing box when a setting changes, in the order of severity.
public enum LiveChange: String, Sendable, CaseIterable, Comparable {
    case atOnce, interruptsSound
    /// Whoever controls the box by the network may have to connect anew, otherwise than before.
    case interruptsControl
    case interruptsPicture, needsRestart

    public static func < (a: LiveChange, b: LiveChange) -> Bool {
        (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
}

/// How the client prints a field of an answer.
public struct FieldDisplay: Equatable, Sendable {
    public enum Style: String, Sendable, CaseIterable {
        case plain
        /// The hours and minutes of a local time that is given in RFC 3339.
        case clock
        /// The rounded minutes of a duration that is given in milliseconds.
        case minutes
        /// A sentence that is printed in whole below a table.
        case conclusion
    }

    /// Whether tables leave the field out; `--long` and `--json` show it.
    public var isDetail = false
    public var style = Style.plain
    /// The title of the column; nil if it is the name of the field.
    public var title: String?

    public init(isDetail: Bool = false, style: Style = .plain, title: String? = nil) {
        self.isDetail = isDetail
        self.style = style
        self.title = title
    }
}
