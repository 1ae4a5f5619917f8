// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What a `ReportWriter` has done since it began.
public struct WriterCounters: Sendable, Equatable {
    public var kept: UInt64 = 0
    public var known: UInt64 = 0
    public var refused: UInt64 = 0
    public var commits: UInt64 = 0
    public var failedCommits: UInt64 = 0
    public var reopenings: UInt64 = 0
    public var upkeepPortions: UInt64 = 0
    public var queuedReports: Int = 0
    public var queuedOctets: Int = 0
    public var commitUs = Histogram(upTo: [
        1_000, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000,
    ])
    /// From the arrival of a batch until it is on the disk.
    public var acknowledgementUs = Histogram(
        upTo: [5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000])
    /// 1 while the store takes what it is given.
    public var isHealthy: Int = 1

    public init() {}

    public static let statistics: [Statistic<Self>] = [
        .counter("kept", \.kept, "reports", "Reports that were kept."),
        .counter("known", \.known, "reports", "Reports that had been kept before and came again."),
        .counter("refused", \.refused, "reports", "Reports that the store will never take.", .fault),
        .counter("commits", \.commits, "commits", "Transactions that are on the disk."),
        .counter("failedCommits", \.failedCommits, "commits", "Transactions that the disk did not take.", .fault),
        .counter("reopenings", \.reopenings, "connections", "Times that the store was opened again after an error."),
        .counter("upkeepPortions", \.upkeepPortions, "portions", "Portions of old rows that were thrown away."),
        .gauge("queuedReports", \.queuedReports, "reports", "Reports that wait for the disk."),
        .gauge("queuedOctets", \.queuedOctets, .octets, "Octets of reports that wait for the disk."),
        .histogram("commitUs", \.commitUs, .microseconds, "Time of a transaction."),
        .histogram(
            "acknowledgementUs", \.acknowledgementUs, .microseconds,
            "Time from the arrival of a batch until it is on the disk."),
        .state("isHealthy", \.isHealthy, ["no", "yes"], "Whether the store takes what it is given."),
    ]
}
