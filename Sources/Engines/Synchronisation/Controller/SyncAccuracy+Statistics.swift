// SPDX-License-Identifier: Apache-2.0
import Statistics

extension SyncAccuracy {
    public static let statistics: [Statistic<Self>] = [
        Statistic(
            "syncErrorUs", .gauge, .microseconds,
            "How late the session presents against the timeline; negative: how early.", .page
        ) { accuracy in
            accuracy.error.map { .integer($0.microseconds) }
        },
        .gauge("syncBoundUs", \.bound.microseconds, .microseconds, "Possible error of syncErrorUs."),
        .gauge(
            "syncWorstUs", \.worst.microseconds, .microseconds,
            "Largest error since the session was within the dead band first."),
        .counter("syncObservedMs", \.observed.milliseconds, .milliseconds, "Time for which the error was known."),
        .counter("syncInsideMs", \.inside.milliseconds, .milliseconds, "The part of it within the dead band."),
        .counter("syncJumps", \.jumps, "jumps", "Jumps to the position of the timeline."),
        .counter("syncJumpsFailed", \.jumpsFailed, "jumps", "Jumps that the session could not do.", .fault),
        .counter("syncAdaptations", \.adaptations, "times", "Corrections by rate."),
        .gauge("syncRatePPB", \.rate, .partsPerBillion, "By how much the session is played faster than normal."),
        .gauge(
            "syncDriftPPB", \.drift, .partsPerBillion,
            "By how much the timeline runs faster than the session's clock."),
    ]
}
