// SPDX-License-Identifier: Apache-2.0
import Forwarding
import JSON
import Reporting
import Reports
import Time

/// Makes the reports of one start, from the first sequence on.
final class ReportMaking {
    let spool: Spool
    private let box: String
    private var statistics = ReportStatistics()
    /// Up to when the reports of each kind cover.
    private var covered: [Report.Kind: Monotonic]

    init(box: String, spool: Spool, began: Monotonic) {
        (self.box, self.spool) = (box, spool)
        covered = [.state: began, .event: began]
    }

    func make(_ parts: StateParts) {
        var (members, next) = (parts.members, statistics)
        members["statistics"] = next.compose(parts.snapshot)
        members["sessions"] = parts.sessionMembers
        members["wifi"] = parts.radioMembers
        if append(.state, members, at: parts.moment) {
            statistics = next
        } else {
            // The rest tells that the box is there. The next report tells the statistics of both.
            members["statistics"] = nil
            _ = append(.state, members, at: parts.moment)
        }
    }

    func make(_ events: [JSONValue], at moment: Moment) { _ = append(.event, ["events": .array(events)], at: moment) }

    /// - Returns: false if it is too long.
    private func append(_ kind: Report.Kind, _ members: [String: JSONValue], at moment: Moment) -> Bool {
        let covers = moment.now - (covered[kind] ?? moment.now)
        let sequence = spool.append(kind == .state ? .state : .event, at: moment) { sequence in
            Report(
                box: box, boot: spool.boot.description, sequence: sequence, kind: kind,
                monotonicMs: max(0, Nanoseconds(moment.now.nanoseconds).milliseconds), wall: moment.wall,
                coversMs: max(0, covers.milliseconds), members: members
            ).octets
        }
        if sequence != nil { covered[kind] = moment.now }
        return sequence != nil
    }
}
