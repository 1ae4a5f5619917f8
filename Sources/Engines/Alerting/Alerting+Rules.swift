// SPDX-License-Identifier: Apache-2.0
import Reports
import Time

/// One rule over all boxes.
extension Alerting {
    /// A box that has been bad by a rule for as long as the rule wants.
    private struct Ripe {
        let box: String
        let since: WallTime
        let measured: Alert.Measure
    }

    mutating func step(
        _ index: Int, _ now: Monotonic, _ hearing: Monotonic, _ wall: WallTime, _ changes: inout [Change]
    ) {
        let rule = rules[index]
        var ripe: [Ripe] = []
        for id in boxes.keys {
            guard let box = boxes[id] else { continue }
            let silence = silence(of: box, now, hearing)
            let verdict: AlertRule.Verdict =
                rule.isFor(box.condition)
                ? rule.verdict(on: box.condition, silence: silence, isHeard: box.isHeard) : .good
            var phase = box.phases[index]
            switch (phase, verdict) {
            case (.good, .bad(let measured)), (.bad, .bad(let measured)):
                let since: Monotonic
                let at: WallTime
                if case .bad(let began, let beganAt) = phase {
                    (since, at) = (began, beganAt)
                } else {
                    (since, at) = (now, rule.kind == .silence ? box.condition.arrived : wall)
                    phase = .bad(since: since, wall: at)
                }
                if now - since >= .seconds(rule.forS) { ripe.append(Ripe(box: id, since: at, measured: measured)) }
            case (.bad, .good), (.bad, .between): phase = .good
            case (.alerted(let alert, let goodSince), .good):
                let since = goodSince ?? now
                phase = .alerted(id: alert, goodSince: since)
                if now - since >= .seconds(rule.clearForS) {
                    end(alert, wall, &changes)
                    phase = .good
                }
            case (.stormed(let goodSince), .good):
                let since = goodSince ?? now
                phase = .stormed(goodSince: since)
                if now - since >= .seconds(rule.clearForS) {
                    storms[index].boxes -= 1
                    phase = .good
                }
            case (.alerted(let alert, .some), .bad), (.alerted(let alert, .some), .between):
                phase = .alerted(id: alert, goodSince: nil)
            case (.stormed(.some), .bad), (.stormed(.some), .between): phase = .stormed(goodSince: nil)
            default: break
            }
            if phase != box.phases[index] { boxes[id]?.phases[index] = phase }
        }
        gather(ripe.sorted { $0.box < $1.box }, index, now, wall, &changes)
        calm(index, now, hearing, wall, &changes)
    }

    /// Opens an alert for each box that is ripe, or one for all if they are many.
    private mutating func gather(
        _ ripe: [Ripe], _ index: Int, _ now: Monotonic, _ wall: WallTime, _ changes: inout [Change]
    ) {
        guard let first = ripe.first else {
            storms[index].gatheringSince = nil
            return
        }
        let since = storms[index].gatheringSince ?? now
        storms[index].gatheringSince = since
        guard storms[index].id != nil || now - since >= limits.gathering else { return }
        storms[index].gatheringSince = nil
        guard storms[index].id != nil || ripe.count > limits.mostAtOnce else {
            for each in ripe { open(each, index, wall, &changes) }
            return
        }
        if storms[index].id == nil {
            guard open.count < limits.mostOpen else {
                leftOut += 1
                return
            }
            let alert = storm(ripe, first, index, wall)
            open[alert.id] = alert
            storms[index].id = alert.id
            changes.append(Change(.opened, alert))
        }
        for each in ripe { boxes[each.box]?.phases[index] = .stormed(goodSince: nil) }
        storms[index].boxes += ripe.count
        guard let id = storms[index].id, var alert = open[id], alert.boxes < storms[index].boxes else { return }
        alert.boxes = Int64(storms[index].boxes)
        open[id] = alert
        changes.append(Change(.changed, alert))
    }

    /// Ends a storm of which few boxes are left; these get alerts of their own.
    private mutating func calm(
        _ index: Int, _ now: Monotonic, _ hearing: Monotonic, _ wall: WallTime, _ changes: inout [Change]
    ) {
        guard let id = storms[index].id, storms[index].boxes <= limits.mostAtOnce / 2 else { return }
        let rule = rules[index]
        // After a start it is not known at first which boxes the storm still has.
        let settling =
            Nanoseconds.seconds(rule.forS + (rule.kind == .silence ? rule.limit ?? 0 : 0)) + limits.gathering * 2
        guard now - hearing > settling else { return }
        end(id, wall, &changes)
        storms[index] = Storm()
        for box in boxes.keys.sorted() {
            guard case .stormed? = boxes[box]?.phases[index], let condition = boxes[box]?.condition else { continue }
            let verdict = rule.verdict(
                on: condition, silence: boxes[box].map { silence(of: $0, now, hearing) } ?? .zero, isHeard: false)
            boxes[box]?.phases[index] = .good
            guard case .bad(let measured) = verdict else { continue }
            let since = rule.kind == .silence ? condition.arrived : wall
            open(Ripe(box: box, since: since, measured: measured), index, wall, &changes)
        }
    }

    private mutating func open(_ ripe: Ripe, _ index: Int, _ wall: WallTime, _ changes: inout [Change]) {
        guard let condition = boxes[ripe.box]?.condition else { return }
        guard open.count < limits.mostOpen else {
            leftOut += 1
            return
        }
        let rule = rules[index]
        var alert = alert(rule, ripe, wall, about: ripe.box)
        (alert.box, alert.group) = (ripe.box, condition.group)
        alert.name = condition.name.flatMap { $0.isEmpty ? nil : $0 }
        alert.text = rule.sentence(alert.name.map { "\($0) (\(ripe.box))" } ?? ripe.box, ripe.measured)
        open[alert.id] = alert
        boxes[ripe.box]?.phases[index] = .alerted(id: alert.id, goodSince: nil)
        changes.append(Change(.opened, alert))
    }

    private func storm(_ ripe: [Ripe], _ first: Ripe, _ index: Int, _ wall: WallTime) -> Alert {
        let rule = rules[index]
        let earliest = ripe.min { $0.since < $1.since } ?? first
        var alert = alert(rule, earliest, wall, about: "")
        alert.boxes = Int64(ripe.count)
        let groups = Set(ripe.map { boxes[$0.box]?.condition.group })
        if groups.count == 1, let group = groups.first { alert.group = group }
        let some = ripe.prefix(3).map(\.box).joined(separator: ", ")
        let whose = alert.group.map { " of group \($0)" } ?? ""
        alert.text = rule.sentence("\(ripe.count) boxes\(whose) at once, \(some) …", earliest.measured)
        return alert
    }

    private func alert(_ rule: AlertRule, _ ripe: Ripe, _ wall: WallTime, about box: String) -> Alert {
        var alert = Alert()
        alert.id = Self.id(of: rule.name, box, at: wall)
        (alert.rule, alert.kind, alert.severity) = (rule.name, rule.kind, rule.severity)
        alert.since = ripe.since.wholeMilliseconds
        (alert.measured, alert.limit, alert.unit) = (ripe.measured, rule.allowed, rule.unit)
        return alert
    }

    /// Ids sort by when their alerts were opened: the time in ms as 12 hexadecimal digits, and a checksum (FNV-1a) of the rest.
    private static func id(of rule: String, _ box: String, at wall: WallTime) -> String {
        func digits(_ value: UInt64, _ count: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let octets = Array("\(rule)\u{0}\(box)\u{0}\(wall.nanoseconds)".utf8)
        let sum = octets.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return digits(UInt64(clamping: wall.nanoseconds / 1_000_000), 12) + "-" + digits(sum, 16)
    }
}
