// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What became of alerts since the reporter began.
struct AlertCounters: Sendable, Equatable {
    var opened: UInt64 = 0
    var ended: UInt64 = 0
    var posted: UInt64 = 0
    var failedPosts: UInt64 = 0
    var refusedPosts: UInt64 = 0
    var datagrams: UInt64 = 0
    var failedDatagrams: UInt64 = 0
    var givenUp: UInt64 = 0
    var leftOut: UInt64 = 0
    var failedLooks: UInt64 = 0
    var open: Int = 0
    /// 1 for the one that tells, of reporters that share a store.
    var isTelling: Int = 0

    static let statistics: [Statistic<Self>] = [
        .counter("opened", \.opened, "alerts", "Alerts that were opened."),
        .counter("ended", \.ended, "alerts", "Alerts that have ended."),
        .counter("posted", \.posted, "messages", "Messages that the webhook took."),
        .counter("failedPosts", \.failedPosts, "requests", "Requests to the webhook that are made again.", .fault),
        .counter("refusedPosts", \.refusedPosts, "messages", "Messages that the webhook will never take.", .fault),
        .counter("datagrams", \.datagrams, "messages", "Messages that were sent to the collector of logs."),
        .counter("failedDatagrams", \.failedDatagrams, "messages", "Attempts to send one that failed.", .fault),
        .counter("givenUp", \.givenUp, "messages", "Messages that were given up because too many waited.", .fault),
        .counter("leftOut", \.leftOut, "alerts", "Times that an alert was not opened because too many were.", .fault),
        .counter("failedLooks", \.failedLooks, "looks", "Times that the store did not say how boxes are.", .fault),
        .gauge("open", \.open, "alerts", "Alerts that are open."),
        .state("isTelling", \.isTelling, ["no", "yes"], "Whether this reporter is the one that tells alerts."),
    ]
}
