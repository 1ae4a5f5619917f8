// SPDX-License-Identifier: Apache-2.0
import Hosting
import Reception
import Shapes
import Venue

/// The event that the groups of a received channel were left and joined again.
struct GroupsRejoined: FeatureEvent {
    enum Reason: String, Sendable, CaseIterable { case silence, link, resume }

    let id: String
    let channel: String
    let why: Reason
    let groups: [String]

    static let about = EventAbout(
        .channels, "rejoined", "The groups of a received channel were left and joined again.")
    static let shape = Shape<Self>([
        .value("id", \.id, .text, "of the channel"),
        .value("channel", \.channel, .text, "its name"),
        .value(
            "why", \.why, .choice,
            "silence: nothing came; link: their link came up, changed or has an address; resume: after a suspension"),
        .value("groups", \.groups, .list(of: .text), "addresses of the groups"),
    ])

    /// One event for all groups of the channel that were joined again for the same reason.
    /// - Parameter renewal: why groups were renewed.
    static func events(
        of reports: [MembershipReport], _ channel: Channel, renewal: Reason = .silence
    ) -> [GroupsRejoined] {
        var groups: [Reason: [String]] = [:]
        for report in reports {
            switch report {
            case .renewed(let group): groups[renewal, default: []].append(group)
            case .linkFollowed(let group, _): groups[.link, default: []].append(group)
            case .linkLost, .sourceTried, .sourceChanged, .failed: break
            }
        }
        return Reason.allCases.compactMap { why in
            groups[why].map { GroupsRejoined(id: channel.id.text, channel: channel.name, why: why, groups: $0) }
        }
    }
}
