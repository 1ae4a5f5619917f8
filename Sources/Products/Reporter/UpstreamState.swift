// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Statistics

/// How far this venue is with what it tells its region.
struct UpstreamState: Sendable {
    var uploads = UploadCounters()
    var spool = SpoolCounters()
    /// Times that the region has got everything that was to be told at once.
    var rounds: Int64 = 0
    /// States of boxes, and sums over minutes and hours, that the region has.
    var boxes: Int64 = 0
    var sums: Int64 = 0
    /// Times that the store did not give what is to be told.
    var storeFailures: Int64 = 0
    /// Boxes that are known.
    var known: Int64 = 0
    /// From when a telling was due until the region had it, for the last one, ms.
    var lagMs: Int64 = 0

    static let statistics: [Statistic<Self>] =
        UploadCounters.statistics.map { $0.of(\.uploads) } + SpoolCounters.statistics.map { $0.of(\.spool) }
        + [
            .counter("rounds", \.rounds, "tellings", "Times that the region has got all that was to be told at once."),
            .counter("boxesTold", \.boxes, "boxes", "States of boxes that the region has."),
            .counter("sumsTold", \.sums, "sums", "Sums over minutes and hours that the region has."),
            .counter("storeFailures", \.storeFailures, "failures", "Times that the store did not answer.", .fault),
            .gauge("boxesKnown", \.known, "boxes", "Boxes that the region is told of."),
            .gauge("lagMs", \.lagMs, .milliseconds, "From when the last telling was due until the region had it."),
        ]
}
