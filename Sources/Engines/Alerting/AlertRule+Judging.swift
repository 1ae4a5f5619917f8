// SPDX-License-Identifier: Apache-2.0
import Reports
import Time

extension AlertRule {
    enum Verdict: Equatable {
        case bad(Alert.Measure)
        case good
        /// Better than the limit, and not yet good enough for an alert to end.
        case between
        /// The box has told nothing of it, or not lately.
        case unknown
    }

    /// After this a state says nothing any more of how a box is.
    static let freshness = Nanoseconds.seconds(90)

    /// - Parameters:
    ///   - silence: for how long nothing came while the reporter could hear.
    ///   - isHeard: whether something came since the reporter began.
    func verdict(on box: BoxCondition, silence: Nanoseconds, isHeard: Bool) -> Verdict {
        if kind == .silence {
            guard silence > .seconds(limit ?? 0) else { return isHeard ? .good : .unknown }
            return .bad(.number(silence.seconds))
        }
        guard silence <= Self.freshness else { return .unknown }
        switch kind {
        case .state:
            guard let state = box.state, !state.isEmpty else { return .unknown }
            return states.contains(state) ? .good : .bad(.word(state))
        case .loss: return Self.verdict(box.lossPPM, most: limit ?? 0, clear)
        case .signal: return Self.verdict(box.signalDbm.map { -$0 }, most: -(limit ?? 0), clear, sign: -1)
        case .silence: return .unknown
        }
    }

    private static func verdict(_ value: Int64?, most: Int64, _ clear: Int64, sign: Int64 = 1) -> Verdict {
        guard let value else { return .unknown }
        if value > most { return .bad(.number(value * sign)) }
        return value <= most - clear ? .good : .between
    }

    /// As alerts have it.
    var allowed: Alert.Measure {
        kind == .state ? .word(states.joined(separator: "|")) : .number(limit ?? 0)
    }

    var unit: String? {
        switch kind {
        case .state: nil
        case .loss: "ppm"
        case .signal: "dBm"
        case .silence: "s"
        }
    }

    /// What is wrong, for a person.
    /// - Parameter who: the box, or how many boxes.
    func sentence(_ who: String, _ measured: Alert.Measure) -> String {
        switch kind {
        case .state: "\(who): the service is \(measured); expected \(states.joined(separator: " or "))"
        case .loss: "\(who): \(measured) ppm of what was sent are lost; expected at most \(allowed) ppm"
        case .signal: "\(who): the access point is heard with \(measured) dBm; expected at least \(allowed) dBm"
        case .silence: "\(who): nothing has come for \(measured) s; expected at most \(allowed) s"
        }
    }
}
