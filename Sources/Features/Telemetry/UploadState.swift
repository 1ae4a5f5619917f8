// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Statistics
import Time

/// How far the box is with its reports.
struct UploadState: Sendable {
    var spool = SpoolCounters()
    var uploads = UploadCounters()
    /// Id of the start whose reports are made; nil if none are.
    var boot: String?
    /// When the reporter answered last as it should.
    var answered: Monotonic?
    /// Why the last answer settled nothing, or why there was none; nil if one did.
    var problem: String?
    var diskProblem: String?
    /// The reason that the reporter gave for the report that it refused last.
    var lastRefusal: String?
    /// When the oldest report was made that is not acknowledged; nil if there is none, or nobody had set the clock.
    var oldestPending: WallTime?
}

/// What the statistics of reports are made of.
struct TelemetryCounters: Sendable {
    var state = UploadState()
    /// Reports of the state that were not made because the disk was too slow.
    var statesLeftOut: Int64 = 0
    var eventsLeftOut: Int64 = 0

    static let statistics: [Statistic<Self>] =
        UploadCounters.statistics.map { $0.of(\.state.uploads) } + SpoolCounters.statistics.map { $0.of(\.state.spool) }
        + [
            .counter(
                "statesLeftOut", \.statesLeftOut, "reports",
                "Reports of the state that were not made, because the disk had not taken those before.", .fault),
            .counter(
                "eventsLeftOut", \.eventsLeftOut, "events", "Events that were too many to be reported.", .fault),
        ]
}
