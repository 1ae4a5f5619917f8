// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Time

/// That a rule of a reporter does not hold for a box, or for many boxes at once; `config/REPORTS.md` says what each member
/// means. An alert is told when it is opened and again, with `until`, when it has ended.
public struct Alert: Record, Equatable {
    /// What a rule looks at.
    public enum Kind: String, Sendable, CaseIterable {
        /// The state of the service.
        case state
        /// What was lost on the way, after repair.
        case loss
        /// How the radio hears its access point.
        case signal
        /// That nothing comes from a box.
        case silence
    }

    /// Words of syslog (RFC 5424 §6.2.1), the gravest first.
    public enum Severity: String, Sendable, CaseIterable {
        case critical, error, warning, notice
    }

    /// A number in `unit`, or the word of a state.
    public enum Measure: Equatable, Sendable, CustomStringConvertible {
        case number(Int64)
        case word(String)

        public var description: String {
            switch self {
            case .number(let number): "\(number)"
            case .word(let word): word
            }
        }
    }

    /// Octets of the longest document.
    public static let mostOctets = 8 << 10

    /// Unique for ever, and the same whenever this alert is told again: 1 to 64 characters.
    public var id = ""
    /// The name of the rule.
    public var rule = ""
    public var kind = Kind.state
    public var severity = Severity.warning
    /// The id of the box; nil if the alert is about many boxes at once.
    public var box: String?
    /// What the box is called; nil if it has not told.
    public var name: String?
    /// The group of the box, or of all the boxes; nil if there is none.
    public var group: String?
    /// How many boxes the alert is about.
    public var boxes: Int64 = 1
    /// When the rule ceased to hold, by the reporter's clock, with milliseconds.
    public var since = WallTime(nanoseconds: 0)
    /// When it held again; nil while the alert is open.
    public var until: WallTime?
    /// What was measured when the alert was opened.
    public var measured = Measure.number(0)
    /// What the rule allows.
    public var limit = Measure.number(0)
    /// Of `measured` and `limit`: `ppm`, `dBm` or `s`; nil of words.
    public var unit: String?
    /// A sentence for a person.
    public var text = ""

    public init() {}

    public var isOpen: Bool { until == nil }

    public static let shape = Shape<Self>([
        .required("id", \.id, .text(1...64), "Unique for ever, and the same whenever this alert is told again."),
        .required("rule", \.rule, .text(1...64), "Name of the rule."),
        .required("kind", \.kind, .choice, "What the rule looks at."),
        .required("severity", \.severity, .choice, "How grave it is, as syslog has it."),
        .member("box", \.box, .absentOr(.text(1...64)), "Id of the box; absent if it is about many boxes at once."),
        .member("name", \.name, .absentOr(.text(0...256)), "What the box is called."),
        .member("group", \.group, .absentOr(.text(0...256)), "Group of the box, or of all the boxes."),
        .member("boxes", \.boxes, .integer(1...1 << 40), "How many boxes it is about."),
        .required("since", \.since, .instant, "When the rule ceased to hold, by the reporter's clock."),
        .member("until", \.until, .absentOr(.instant), "When it held again; absent while the alert is open."),
        .required("measured", \.measured, .measure, "What was measured when the alert was opened."),
        .required("limit", \.limit, .measure, "What the rule allows."),
        .member("unit", \.unit, .absentOr(.choice(["ppm", "dBm", "s"])), "Of measured and limit; absent of words."),
        .required("text", \.text, .text(1...1_024), "A sentence for a person."),
    ])
}

extension Alert {
    private static let limits = JSONLimits(maximumDepth: 8, maximumOctets: mostOctets, maximumValues: 256)

    /// Reads one document. Members that nobody here knows are left out.
    /// - Throws: what is wrong with it, each with its place.
    public init(parsing octets: some Collection<UInt8>) throws(ReportError) {
        try self.init(ReportError.document(octets, within: Self.limits))
    }

    public init(_ document: JSONValue) throws(ReportError) {
        let problems = Self.kind.problemsOfKnown(in: document)
        guard problems.isEmpty else { throw .invalid(problems) }
        self.init(reading: document)
    }

    /// The alert on one line, without a line feed at its end. Equal alerts have equal octets.
    public var octets: [UInt8] { json.octets() }
}

extension Codec where Value == WallTime {
    static var instant: Codec { .formatted(.instant, parse: { WallTime(rfc3339: $0) }, text: \.description) }
}

extension Codec where Value == Alert.Measure {
    fileprivate static var measure: Codec {
        Codec(
            .textOr(1...64, .integer(Int64.min...Int64.max)),
            decode: { value in value.integer.map { .number($0) } ?? value.string.map { .word($0) } },
            encode: { measure in
                switch measure {
                case .number(let number): .integer(number)
                case .word(let word): .string(word)
                }
            })
    }
}
