// SPDX-License-Identifier: Apache-2.0
import JSON
import Reports
import Shapes
import Time

/// What boxes are to be like, and for how long they may be otherwise before somebody is told.
public struct AlertRule: Record, Equatable {
    public var name = ""
    public var kind = Alert.Kind.state
    public var severity = Alert.Severity.warning
    /// Most of a loss in ppm, least of a signal in dBm, most seconds of a silence; nil for states.
    public var limit: Int64?
    /// How much better than the limit it has to be before the alert ends, in the unit of the limit.
    public var clear: Int64 = 0
    /// States of the service that are as they should be.
    public var states = ["up"]
    /// How long it has to be worse than the limit before an alert is opened, seconds.
    public var forS: Int64 = 0
    /// How long it has to be good again before the alert ends, seconds.
    public var clearForS: Int64 = 0
    /// Groups whose boxes the rule is for; empty: all.
    public var groups: [String] = []
    /// Tags of which a box has at least one; empty: all boxes.
    public var tags: [String] = []

    public init() {}

    /// Rules of one reporter.
    public static let most = 64

    private static let nameFormat = TextFormat(
        "a name of a-z, 0-9 and -, 1...64", schema: ["pattern": "^[a-z0-9-]{1,64}$"]
    ) { text in
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    }

    public static let shape = Shape<Self>([
        .required("name", \.name, .formatted(nameFormat), "Stands in its alerts."),
        .required("kind", \.kind, .choice, "What the rule looks at."),
        .member("severity", \.severity, .choice, "Of its alerts."),
        .member(
            "limit", \.limit, .absentOr(.integer(-200...1_000_000)),
            "Most of a loss in ppm, least of a signal in dBm, most seconds of a silence."),
        .member(
            "clear", \.clear, .integer(0...1_000_000),
            "How much better than the limit it has to be before an alert ends."),
        .member("states", \.states, .list(of: .text(1...64), 1...8), "States of the service that need no alert."),
        .member("forS", \.forS, .integer(0...86_400), "How long it has to be bad before an alert is opened."),
        .member("clearForS", \.clearForS, .integer(0...86_400), "How long it has to be good before an alert ends."),
        .member("groups", \.groups, .list(of: .text(1...256), 0...64), "Groups that it is for; none: all boxes."),
        .member("tags", \.tags, .list(of: .text(1...256), 0...64), "Tags that it is for, one is enough; none: all."),
    ])

    /// What the shape does not say.
    /// - Parameter path: of the rule in its document.
    public func problems(at path: String) -> [Problem] {
        var problems: [Problem] = []
        func expect(_ name: String, _ value: Int64?, _ range: ClosedRange<Int64>, _ what: String) {
            if let value, range.contains(value) { return }
            problems.append(
                Problem(
                    path: "\(path)/\(name)", value: value.map { .integer($0) },
                    expectation: "\(what), \(range.lowerBound)...\(range.upperBound)"))
        }
        switch kind {
        case .state:
            if let limit {
                problems.append(
                    Problem(path: "\(path)/limit", value: .integer(limit), expectation: "none of a rule for states"))
            }
            if states.map(\.unicodeScalars.count).reduce(states.count, +) > 64 {
                problems.append(
                    Problem(path: "\(path)/states", expectation: "states of at most 64 characters all together"))
            }
        case .loss:
            expect("limit", limit, 0...999_999, "ppm of what was sent")
            expect("clear", clear, 0...max(0, limit ?? 0), "at most the limit, ppm")
        case .signal:
            expect("limit", limit, -120 ... -1, "dBm")
            expect("clear", clear, 0...60, "dB")
        case .silence: expect("limit", limit, 5...604_800, "seconds")
        }
        return problems
    }

    /// A problem for each rule that is wrong, and for each name that is there twice.
    /// - Parameter path: of the list in its document.
    public static func problems(of rules: [AlertRule], at path: String) -> [Problem] {
        var problems: [Problem] = []
        for (index, rule) in rules.enumerated() {
            problems += rule.problems(at: "\(path)/\(index)")
            if rules.prefix(index).contains(where: { $0.name == rule.name }) {
                problems.append(
                    Problem(
                        path: "\(path)/\(index)/name", value: .string(rule.name),
                        expectation: "another name for each rule"
                    ))
            }
        }
        return problems
    }

    func isFor(_ box: BoxCondition) -> Bool {
        (groups.isEmpty || box.group.map(groups.contains) == true)
            && (tags.isEmpty || box.tags.contains(where: tags.contains))
    }
}
