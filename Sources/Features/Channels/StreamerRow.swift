// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes
import Time
import Venue

/// A head-end as the command `streamers` and the events of streamers show it (SVM-26).
struct StreamerRow: Answer {
    let streamer: Streamer
    /// The current instant, from which ages are counted; nil in events, which show no ages.
    let now: Monotonic?
    /// Why an announcement of its sender gave no channel, or a channel without its repair; nil if none did of late.
    var fault: String?

    private var sinceLastHeard: Int64? { now.map { ($0 - streamer.lastHeard).milliseconds } }
    private var sinceFirstHeard: Int64? { now.map { ($0 - streamer.firstHeard).milliseconds } }

    static let shape = Shape<Self>([
        .value("name", \.streamer.name, .text, "as announced"),
        .value("address", \.streamer.address, .text, "source of its announcements"),
        .value(
            "version", \.streamer.version, .optional(.integer), "of its announcements; null for plain SDP"),
        .value("channelCount", \.streamer.channelCount, .count, "channels that it announces"),
        .value("isAllowed", \.streamer.isAllowed, .boolean, "by announcements.allow and .deny"),
        .unlessNil("sinceLastHeardMs", \.sinceLastHeard, .integer, "age of its last announcement"),
        .unlessNil(
            "sinceFirstHeardMs", \.sinceFirstHeard, .integer, shownAs: FieldDisplay(isDetail: true),
            "age of its first"),
        .value("lastFault", \.fault, .optional(.text), "why an announcement of it was not taken; null in events"),
        .detail("id", \.streamer.id.text, .text, "identity"),
    ])
}

/// The event that a head-end is heard for the first time.
struct StreamerAdded: FeatureEvent {
    let streamer: StreamerRow

    static let about = EventAbout(.streamers, "added", "A head-end is heard.")
    static let shape = Shape<Self>([.value("streamer", \.streamer, .row, "as the command streamers shows it")])
}

/// The event that the name or the version of a head-end changed.
struct StreamerChanged: FeatureEvent {
    let streamer: StreamerRow

    static let about = EventAbout(.streamers, "changed", "The name or the version of a head-end changed.")
    static let shape = Shape<Self>([.value("streamer", \.streamer, .row, "as it is now")])
}

/// The event that the last session of a head-end is gone.
struct StreamerRemoved: FeatureEvent {
    let streamer: StreamerRow

    static let about = EventAbout(.streamers, "removed", "A head-end is silent, or took its last session back.")
    static let shape = Shape<Self>([.value("streamer", \.streamer, .row, "as it was last")])
}
