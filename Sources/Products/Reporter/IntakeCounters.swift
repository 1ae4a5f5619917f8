// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What came in by `POST /v1/boxes/BOX/reports` since the reporter began, before anything was written.
struct IntakeCounters: Sendable, Equatable {
    var requests: UInt64 = 0
    var putOff: UInt64 = 0
    var slowedDown: UInt64 = 0
    var tooLarge: UInt64 = 0
    var malformed: UInt64 = 0
    var unreadableLines: UInt64 = 0
    var refused: UInt64 = 0
    var clocksUnset: UInt64 = 0
    var clocksWrong: UInt64 = 0
    var venueReports: UInt64 = 0
    var venueBoxes: UInt64 = 0
    /// Boxes that have told their settings.
    var boxes: Int = 0

    static let statistics: [Statistic<Self>] = [
        .counter("requests", \.requests, "requests", "Requests with reports."),
        .counter("putOff", \.putOff, "requests", "Requests that were sent away because the store had too much to do."),
        .counter("slowedDown", \.slowedDown, "requests", "Requests of boxes that sent more than a box may."),
        .counter("tooLarge", \.tooLarge, "requests", "Requests that were too large, also after decompression.", .fault),
        .counter("malformed", \.malformed, "requests", "Requests that were no batch of reports.", .fault),
        .counter("unreadableLines", \.unreadableLines, "lines", "Lines of batches that were no reports.", .fault),
        .counter("refused", \.refused, "reports", "Reports that can never be taken.", .fault),
        .counter("clocksUnset", \.clocksUnset, "reports", "Reports of boxes whose clock nobody had set."),
        .counter("clocksWrong", \.clocksWrong, "reports", "Reports whose time cannot be true."),
        .counter("venueReports", \.venueReports, "reports", "Reports of venues."),
        .counter("venueBoxes", \.venueBoxes, "boxes", "States of boxes that venues told."),
        .gauge("boxes", \.boxes, "boxes", "Boxes that have told their settings."),
    ]
}
