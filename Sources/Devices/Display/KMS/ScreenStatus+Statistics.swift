// SPDX-License-Identifier: Apache-2.0
import Statistics

extension ScreenStatus {
    /// Since the stage was made.
    public static let statistics: [Statistic<Self>] = [
        .text("connector", \.connector, "Connector that shows the stage.", .page),
        .text("mode", \.mode, "Mode that shows the stage: 1920x1080@50.", .page),
        .text("display", \.display, "Display that shows the stage: its maker's three letters and its name."),
        .text("modePassedOver", \.pinPassedOver, "Mode that the settings pin while another one is shown."),
        .text("planeRefusal", \.planeRefusal, "Why the card did not take the last video on a plane of its own.", .page),
        .counter("flips", \.counters.flips, "flips", "Page flips."),
        .counter(
            "picturesSkipped", \.counters.picturesSkipped, "pictures",
            "Pictures presented while the one before was not visible yet."),
        .counter(
            "flipsLost", \.counters.flipsLost, "flips",
            "Page flips whose event did not come in time; the mode was set again.",
            [.fault, .page]),
        .counter(
            "commitsRefused", \.counters.commitsRefused, "commits",
            "Flips and settings of a mode that the card refused.",
            [.fault, .page]),
        .counter("modesets", \.counters.modesets, "modesets", "Modes that were set.", .page),
        .counter(
            "modesetsLost", \.counters.modesetsLost, "modesets",
            "Modes that were not visible in time; the next was tried.",
            [.fault, .page]),
        .counter("hotplugs", \.counters.hotplugs, "hotplugs", "Times that the kernel told of a change.", .page),
        .counter("cardsLost", \.counters.cardsLost, "cards", "Cards that were lost.", .fault),
        .counter(
            "planePictures", \.counters.planePictures, "pictures",
            "Pictures shown by a plane of their own, under the canvas.",
            .page),
        .counter(
            "planeCopies", \.counters.planeCopies, "pictures", "Pictures copied into the memory of the card for that."),
        .counter(
            "planeRefusals", \.counters.planeRefusals, "kinds",
            "Kinds of pictures that the card did not take from their memory, or copied."),
        .gauge(
            "recoveryMs", \.counters.recoveryMs, .milliseconds,
            "From when the last accident was noticed, or a screen was, to a picture."),
        .gauge("longestRecoveryMs", \.counters.longestRecoveryMs, .milliseconds, "The longest of these times.", .page),
    ]
}
