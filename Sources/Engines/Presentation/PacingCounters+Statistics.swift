// SPDX-License-Identifier: Apache-2.0
import Statistics

extension PacingCounters {
    /// On a display that has vblanks.
    public static let statistics: [Statistic<Self>] = [
        .gauge(
            "refreshMicroHertz", \.refreshMicroHertz, .microhertz,
            "Frame rate of the display, measured by its page flips; 0 while they are on no grid.", .page),
        .gauge(
            "vblankJitterUs", \.vblankJitterUs, .microseconds, "How far page flips are off the vblanks, on average.",
            .page),
        .counter(
            "vblanksMissed", \.vblanksMissed, "vblanks", "Vblanks for which something was composed too late.",
            [.fault, .page]),
        .counter(
            "repeats", \.repeats, "vblanks",
            "Vblanks more than the pattern has, where the display is faster than the stream.", .page),
        .counter(
            "drops", \.drops, "vblanks",
            "Vblanks less than the pattern has, where the display is slower than the stream.", .page),
        .counter(
            "picturesLeftOut", \.picturesLeftOut, "pictures",
            "Pictures for which the pattern has no vblank, left out whole.", .page),
        .counter(
            "judder", \.judder, "pictures",
            "Pictures shown for another number of vblanks than the pattern has for them.", [.fault, .page]),
        Statistic("pattern", .text, .none, "Vblanks of each picture in turn, of the first region.", .page) { pacing in
            pacing.pattern.map { .text($0.description) }
        },
    ]
}
