// SPDX-License-Identifier: Apache-2.0
import Forwarding
import JSON
import Reporting
import Statistics

/// What a report of the box's state is made of, as the control loop hands it over.
struct StateParts: Sendable {
    let moment: Moment
    /// Members that are ready.
    var members: [String: JSONValue]
    let snapshot: StatisticSnapshot
    /// Regions in which something plays, with the channel; nil for a file.
    let sessions: [(region: String, channel: String?)]

    /// What plays, by the reference's names (SVM-101…126).
    var sessionMembers: JSONValue {
        .array(
            sessions.map { region, channel in
                var session = snapshot.reference(of: region, isOfBox: false)
                session["region"] = .string(region)
                session["channel"] = channel.map { .string($0) }
                return .object(session)
            })
    }
}
