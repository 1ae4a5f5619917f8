// SPDX-License-Identifier: Apache-2.0
import Statistics
import Venue

/// What became of attempts to send reports (SVM-116…118): at every moment the attempts are the successes, the failures
/// and the one that is under way.
public struct UploadCounters: Equatable, Sendable {
    public internal(set) var attempts: Int64 = 0
    public internal(set) var successes: Int64 = 0
    public internal(set) var failures: Int64 = 0
    /// 1 while an answer is awaited, else 0.
    public internal(set) var inFlight: Int64 = 0
    /// Answers that came too late, twice, or to nothing that was asked.
    public internal(set) var strayAnswers: Int64 = 0

    public init() {}

    public static let statistics: [Statistic<Self>] = [
        .counter("statsUploadAttempts", \.attempts, "uploads", "Attempts to send reports to a reporter.", .page)
            .known(as: SessionStatistic.statsUploadAttempts.rawValue),
        .counter(
            "statsUploadFailures", \.failures, "uploads", "Attempts after which no report was acknowledged or refused.",
            [.fault, .page]
        )
        .known(as: SessionStatistic.statsUploadFailures.rawValue),
        .counter(
            "statsUploadSuccesses", \.successes, "uploads",
            "Attempts after which reports were acknowledged or refused.",
            .page
        )
        .known(as: SessionStatistic.statsUploadSuccesses.rawValue),
        .gauge("uploadsInFlight", \.inFlight, "uploads", "Attempts whose answer is awaited."),
        .counter("uploadStrayAnswers", \.strayAnswers, "answers", "Answers that were too late or came twice."),
    ]
}
