// SPDX-License-Identifier: Apache-2.0
import Statistics

extension ScreenTextCounters {
    /// Of the text thread.
    public static let statistics: [Statistic<Self>] = [
        .counter(
            "typesettings", \.typesettings, "pictures",
            "Pictures and tickers that were typeset: none while nothing changes."),
        .gauge(
            "typesettingUs", \.typesettingUs, "us",
            "How long it took to typeset and to post to the stage what changed last; 0: nothing did yet."),
        .counter("removals", \.removals, "planes", "Planes of text that were emptied."),
        .counter("drawErrors", \.drawErrors, "errors", "Times that typesetting failed.", .fault),
        .counter("refused", \.refused, "pictures", "Pictures that the stage did not take; they are tried again."),
    ]
}
