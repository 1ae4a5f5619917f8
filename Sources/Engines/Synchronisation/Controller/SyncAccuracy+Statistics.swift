// SPDX-License-Identifier: Apache-2.0
import Statistics

extension SyncAccuracy {
    public static let statistics: [Statistic<Self>] = [
        Statistic(
            "errorUs", .gauge, .microseconds,
            "How late the session presents against the timeline; negative: how early.", .page
        ) { accuracy in
            accuracy.error.map { .integer($0.microseconds) }
        },
        .gauge("boundUs", \.bound.microseconds, .microseconds, "Possible error of errorUs."),
        .gauge(
            "worstUs", \.worst.microseconds, .microseconds,
            "Largest error since the session was within the dead band first."),
        .counter("observedMs", \.observed.milliseconds, .milliseconds, "Time for which the error was known."),
        .counter("insideMs", \.inside.milliseconds, .milliseconds, "The part of it within the dead band."),
        .counter("jumps", \.jumps, "jumps", "Jumps to the position of the timeline."),
        .counter("jumpsFailed", \.jumpsFailed, "jumps", "Jumps that the session could not do.", .fault),
        .counter("adaptations", \.adaptations, "times", "Corrections by rate."),
        .gauge("ratePPB", \.rate, .partsPerBillion, "By how much the session is played faster than normal."),
        .gauge(
            "driftPPB", \.drift, .partsPerBillion,
            "By how much the timeline runs faster than the session's clock."),
    ]
}
