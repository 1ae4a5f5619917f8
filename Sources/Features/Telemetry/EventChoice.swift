// SPDX-License-Identifier: Apache-2.0
import JSON
import Time
import Venue

/// Chooses which events are worth a report, and how many: an hour of a broken network must not push everything else out
/// of the spool.
struct EventChoice {
    static let limit = RateLimit(atOnce: 120, perSecond: 1)
    /// Octets of the events of one report. A single event may have more.
    static let reportOctets = 64 << 10

    /// Everything about the service itself, its network and its venue.
    private static let families: Set<Event.Family> = [.service, .network, .venue, .streamers]
    /// Events of other families that tell of a fault, or prove that something was played.
    private static let types: Set<String> = [
        "channels.quality", "channels.rejoined", "channels.sourceChanged", "incident.recorded", "session.composed",
        "session.decoder", "session.fail", "session.historyCut", "session.played", "session.refused",
        "stage.modePassedOver", "sync.leader",
        "video.bufferingActive", "video.bufferingInactive", "video.currentChannelInvalid", "video.streamUnsupported",
    ]

    private var meter = RateMeter()
    /// Events that would have been worth a report and were too many, or that the box had no more.
    private(set) var leftOut: Int64 = 0

    /// The events of a report each.
    /// - Parameter dropped: how many events before these are not there any more.
    mutating func reports(of events: [Event], dropped: UInt64, at now: Monotonic) -> [[JSONValue]] {
        leftOut += Int64(clamping: dropped)
        var (reports, current, octets): ([[JSONValue]], [JSONValue], Int) = ([], [], 0)
        for event in events where Self.isChosen(event) {
            guard meter.admits(Self.limit, at: now) else {
                leftOut += 1
                continue
            }
            meter.count(Self.limit, at: now)
            let json = event.json
            let size = json.octets().count
            if octets + size > Self.reportOctets, !current.isEmpty {
                reports.append(current)
                (current, octets) = ([], 0)
            }
            current.append(json)
            octets += size
        }
        if !current.isEmpty { reports.append(current) }
        return reports
    }

    /// To be called for events of reports that could not be made.
    mutating func leaveOut(_ count: Int) { leftOut += Int64(count) }

    static func isChosen(_ event: Event) -> Bool {
        families.contains(event.family) || types.contains("\(event.family.rawValue).\(event.name)")
    }
}
