// SPDX-License-Identifier: Apache-2.0
import Enrolling
import Forwarding
import Statistics
import Time

/// How far the box is with its reports.
struct UploadState: Sendable {
    /// How the box stands with a reporter that is to know it by its key.
    struct Enrolment: Sendable {
        let state: BoxEnrolment.State
        let problem: String?
        /// Of the box's key; nil if it has none yet.
        let fingerprint: String?

        var word: String {
            switch state {
            case .unneeded: "unneeded"
            case .asking: "asking"
            case .pending: "pending"
            case .refused: "refused"
            case .impossible: "impossible"
            case .enrolled: "enrolled"
            }
        }

        /// What there is to say of it; nil if all is well.
        var why: String? {
            switch state {
            case .unneeded, .asking, .enrolled: problem
            case .pending(let why), .refused(let why), .impossible(let why): why
            }
        }
    }

    var spool = SpoolCounters()
    var uploads = UploadCounters()
    /// Id of the start whose reports are made; nil if none are.
    var boot: String?
    /// When the reporter answered last as it should.
    var answered: Monotonic?
    /// Why the last answer settled nothing, or why there was none; nil if one did.
    var problem: String?
    var diskProblem: String?
    /// nil if the reporter has asked for none, or reports.token is sent.
    var enrolment: Enrolment?
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
