// SPDX-License-Identifier: Apache-2.0

/// What head-ends announce, and whether the box may have it.
extension ChainDiagnosis {
    /// Seconds of listening after which something has to have been announced. Head-ends of ours announce each second.
    private static let patience: Int64 = 10

    static func announcements(
        _ announcements: Evidence.Announcements?, _ network: Evidence.Network
    ) -> LinkFinding {
        guard let heard = announcements else { return .unknown(.announcements, "what was announced is not known") }
        if let awaited = heard.awaited.first { return missing(awaited, heard, network) }
        guard !heard.groups.isEmpty else {
            return .unused(.announcements, "the settings name no group, and \(heard.ownEntries) entries of the line-up")
        }
        if heard.announcedChannels > 0 {
            let age = heard.sinceNewest.map { ", the newest \($0) s ago" } ?? ""
            return .fine(.announcements, "\(heard.announcedChannels) channels announced\(age)")
        }
        guard heard.ownEntries == 0 else {
            return .fine(.announcements, "none, and \(heard.ownEntries) entries of the settings")
        }
        guard heard.listened >= patience else {
            return .unknown(.announcements, "none yet, after \(heard.listened) s")
        }
        if let refusal = heard.refusals.first(where: { !$0.isOfLicence }) { return refused(refusal) }
        if let refusal = heard.refusals.first {
            return .fine(.announcements, "\(refusal.sender) announces channels of another licence")
        }
        return nothing(heard, network)
    }

    /// A channel is to be tuned and is not listed.
    private static func missing(
        _ name: String, _ heard: Evidence.Announcements, _ network: Evidence.Network
    ) -> LinkFinding {
        guard heard.listened >= patience else {
            return .unknown(.announcements, "\(name) is not announced yet, after \(heard.listened) s")
        }
        if heard.groups.isEmpty {
            return .broken(
                .announcements, "\(name) is to be tuned, and the settings have neither this channel nor a group",
                try: "name it in channels, or the group in announcements.groups")
        }
        guard heard.announcedChannels > 0 else {
            if let refusal = heard.refusals.first(where: { !$0.isOfLicence }) { return refused(refusal) }
            if let refusal = heard.refusals.first {
                return .fine(.announcements, "\(refusal.sender) announces channels of another licence")
            }
            return nothing(heard, network)
        }
        let refusal = heard.refusals.first.map { "; \($0.sender) is refused: \($0.why)" } ?? ""
        return .broken(
            .announcements,
            "\(name) is to be tuned, and is not among the \(heard.announcedChannels) channels announced\(refusal)",
            try: "compare its name with touchline channels; check that its head-end runs")
    }

    private static func refused(_ refusal: Evidence.Announcements.Refusal) -> LinkFinding {
        .broken(
            .announcements, "those of \(refusal.sender) are refused: \(refusal.why)",
            try: "mend what this head-end announces, or what announcements says of its address")
    }

    private static func nothing(_ heard: Evidence.Announcements, _ network: Evidence.Network) -> LinkFinding {
        let names = network.used.map(\.name).joined(separator: ", ")
        let groups = heard.groups.joined(separator: ", ")
        let others = heard.otherInterfaces.joined(separator: ", ")
        let wire = others.isEmpty ? "" : " and that the venue is not at \(others) (network.interface)"
        return .broken(
            .announcements, "nothing is announced on \(groups)" + (names.isEmpty ? "" : " at \(names)"),
            try: "check that the head-end runs, that the VLAN is its own and has an IGMP querier\(wire)")
    }

    static func licence(_ licence: Evidence.Licence?, _ announcements: Evidence.Announcements?) -> LinkFinding {
        guard let licence else { return .unknown(.licence, "the settings are not known") }
        let own = licence.own ?? "none"
        let others = announcements?.refusals.filter(\.isOfLicence) ?? []
        // What other venues announce is no fault where the own one is heard, or nothing has to be.
        let isMissed = announcements.map { heard in
            heard.announcedChannels == 0 && heard.listened >= patience
                && (heard.ownEntries == 0 || !heard.awaited.isEmpty)
        }
        if let other = others.first, isMissed == true {
            return .broken(
                .licence, "channels of \(other.sender) are not listed: \(other.why)",
                try: "set license to that of this venue; it is \(own)")
        }
        if let missed = licence.missedVenue {
            return .broken(
                .licence, "playback is locked until the venue \(missed) is heard",
                try: "check license.venueName, or set health.venue.locksOutside to false")
        }
        return licence.own == nil ? .unused(.licence, "the settings have none") : .fine(.licence, own)
    }
}
