// SPDX-License-Identifier: Apache-2.0
import Reports
import Time

/// Opens and ends alerts by rules and by what boxes tell. It is a value: states and time are arguments, and whoever calls it
/// keeps the alerts and tells them.
///
/// Durations are of the monotonic clock, so that a step of the wall clock silences no box. When many boxes become bad at
/// once by one rule, one alert is opened for all of them (a storm), which ends when most of them are good again.
public struct Alerting: Sendable {
    public struct Limits: Equatable, Sendable {
        /// How many boxes that become bad by one rule within `gathering` still get an alert each.
        public var mostAtOnce = 20
        /// For how long boxes that have become bad wait for others before anybody is told.
        public var gathering = Nanoseconds.seconds(15)
        /// Alerts that are open. What goes beyond is not opened before others have ended.
        public var mostOpen = 10_000
        /// A box that has been silent for so long has gone for good: its alerts end.
        public var forgetting = Nanoseconds.seconds(7 * 86_400)
        public var mostBoxes = 100_000

        public init() {}
    }

    /// How a box is by one rule.
    enum Phase: Equatable {
        case good
        case bad(since: Monotonic, wall: WallTime)
        /// It has an alert of its own.
        case alerted(id: String, goodSince: Monotonic?)
        /// It is one of the boxes of the rule's storm.
        case stormed(goodSince: Monotonic?)
    }

    struct Box {
        var condition: BoxCondition
        var lastHeard: Monotonic
        var isHeard: Bool
        /// One for each rule.
        var phases: [Phase]
    }

    /// Boxes that fulfil one rule at once, and the alert that tells of them together.
    struct Storm {
        var id: String?
        /// Boxes of it now.
        var boxes = 0
        /// When the first of the boxes that wait became ripe.
        var gatheringSince: Monotonic?
    }

    public let rules: [AlertRule]
    public let limits: Limits
    var boxes: [String: Box] = [:]
    /// Open alerts by their ids.
    public internal(set) var open: [String: Alert] = [:]
    var storms: [Storm]
    /// Since when every box could be heard; nil while none can.
    var hearingSince: Monotonic?
    /// Alerts that were not opened because too many were open, counted once for each step in which they were wanted.
    public internal(set) var leftOut: UInt64 = 0
    private var restored: [String: [(rule: Int, id: String)]] = [:]

    /// - Parameter open: alerts that were open when the reporter ended. They are not told again.
    public init(_ rules: [AlertRule], _ limits: Limits = Limits(), open: [Alert] = []) {
        self.rules = rules
        self.limits = limits
        storms = rules.map { _ in Storm() }
        for alert in open where alert.isOpen {
            self.open[alert.id] = alert
            guard let rule = rules.firstIndex(where: { $0.name == alert.rule && $0.kind == alert.kind }) else {
                continue
            }
            if let box = alert.box {
                restored[box, default: []].append((rule, alert.id))
            } else {
                storms[rule].id = alert.id
            }
        }
    }

    /// Takes the newest state of a box, also one that was there before. What is in the store at the start is to be taken
    /// before the first `step`.
    /// - Parameter isNew: false for what was in the store when the reporter began: nothing has been heard by that.
    public mutating func observe(_ condition: BoxCondition, isNew: Bool, now: Monotonic) {
        if var box = boxes[condition.box] {
            guard box.condition.version != condition.version else { return }
            box.condition = condition
            (box.lastHeard, box.isHeard) = (now, true)
            boxes[condition.box] = box
            return
        }
        guard boxes.count < limits.mostBoxes else { return }
        var phases = [Phase](repeating: .good, count: rules.count)
        for (rule, id) in restored.removeValue(forKey: condition.box) ?? [] {
            phases[rule] = .alerted(id: id, goodSince: nil)
        }
        boxes[condition.box] = Box(condition: condition, lastHeard: now, isHeard: isNew, phases: phases)
    }

    /// - Parameters:
    ///   - isHearing: whether the reporter takes reports. While it does not, no box is silent.
    ///   - wall: for what alerts say.
    /// - Returns: alerts that were opened, that have ended, or of which the number of boxes has changed.
    public mutating func step(isHearing: Bool, now: Monotonic, wall: WallTime) -> [Change] {
        guard isHearing else {
            // What comes afterwards has to be heard first.
            if hearingSince != nil { for id in Array(boxes.keys) { boxes[id]?.isHeard = false } }
            hearingSince = nil
            return []
        }
        let since = hearingSince ?? now
        hearingSince = since
        var changes = endOrphans(wall)
        forget(now, since, wall, &changes)
        for rule in rules.indices { step(rule, now, since, wall, &changes) }
        return changes
    }

    /// How long nothing came from a box while it could be heard.
    func silence(of box: Box, _ now: Monotonic, _ hearing: Monotonic) -> Nanoseconds {
        now - max(box.lastHeard, hearing)
    }

    /// Alerts whose box is gone, or whose rule is gone or of another kind now.
    private mutating func endOrphans(_ wall: WallTime) -> [Change] {
        var changes: [Change] = []
        for (_, id) in restored.values.joined() { end(id, wall, &changes) }
        restored = [:]
        for alert in open.values.sorted(by: { $0.id < $1.id })
        where !rules.contains(where: { $0.name == alert.rule && $0.kind == alert.kind }) {
            end(alert.id, wall, &changes)
        }
        return changes
    }

    private mutating func forget(
        _ now: Monotonic, _ hearing: Monotonic, _ wall: WallTime, _ changes: inout [Change]
    ) {
        for (id, box) in boxes where silence(of: box, now, hearing) > limits.forgetting {
            for (rule, phase) in box.phases.enumerated() {
                if case .alerted(let alert, _) = phase { end(alert, wall, &changes) }
                if case .stormed = phase { storms[rule].boxes -= 1 }
            }
            boxes[id] = nil
        }
    }
}

extension Alerting {
    /// What is to be kept of an alert, and whether somebody is to be told.
    public struct Change: Equatable, Sendable {
        public enum Event: String, Sendable {
            case opened, ended
            /// Nobody is told.
            case changed
        }

        public let event: Event
        public let alert: Alert

        public init(_ event: Event, _ alert: Alert) { (self.event, self.alert) = (event, alert) }
    }

    mutating func end(_ id: String, _ wall: WallTime, _ changes: inout [Change]) {
        guard var alert = open.removeValue(forKey: id) else { return }
        alert.until = max(wall.wholeMilliseconds, alert.since)
        changes.append(Change(.ended, alert))
    }
}

extension WallTime {
    /// As texts have it.
    var wholeMilliseconds: WallTime { WallTime(nanoseconds: nanoseconds / 1_000_000 * 1_000_000) }
}
