// SPDX-License-Identifier: Apache-2.0
import Forwarding
import JSON
import Reporting
import Statistics
import Venue

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

    /// The radios, each that is associated with what the main region's session has under the same names (SVM-128); nil if the
    /// box has none.
    var radioMembers: JSONValue? {
        guard let radios = members["wifi"]?.array else { return members["wifi"] }
        let session = snapshot.reference(of: "main", isOfBox: false)
        let shared = [SessionStatistic.linkIndicator, .uptime, .sessionID].map(\.rawValue)
        return .array(
            radios.map { radio in
                guard case .object(var record) = radio, record["bssid"] != nil else { return radio }
                for name in shared { record[name] = session[name] ?? .null }
                return .object(record)
            })
    }
}
