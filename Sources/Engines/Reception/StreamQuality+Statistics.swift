// SPDX-License-Identifier: Apache-2.0
import Statistics
import Time
import Venue

extension StreamQuality {
    /// Each indicator with its total and its windows, then what concerns all of them.
    public static let statistics: [Statistic<Self>] = StreamIndicator.allCases.flatMap { ofIndicator($0) } + ofAll

    private static func ofIndicator(_ indicator: StreamIndicator) -> [Statistic<Self>] {
        let name = indicator.name
        return [
            Statistic("faults", .counter, "faults", "Faults since the channel was joined.", .fault) { quality in
                .integer(quality.totals[indicator])
            }.labelled("indicator", name, at: "indicators", name, "total"),
            Statistic("faultsShort", .gauge, "faults", "Faults within the short window.") { quality in
                .integer(quality.short[indicator])
            }.labelled("indicator", name, at: "indicators", name, "short"),
            Statistic("faultsLong", .gauge, "faults", "Faults within the long window.") { quality in
                .integer(quality.long[indicator])
            }.labelled("indicator", name, at: "indicators", name, "long"),
            Statistic("isAlarm", .gauge, .none, "Whether the faults are an alarm.", .fault) { quality in
                .flag(quality.alarms.contains(indicator))
            }.labelled("indicator", name, at: "indicators", name, "isAlarm"),
        ]
    }

    private static let ofAll: [Statistic<Self>] = [
        Statistic("alarms", .text, .none, "Indicators that are an alarm.") { quality in
            .texts(quality.alarms.members.map(\.name))
        },
        .counter("seconds", \.seconds, .seconds, "Whole seconds for which the channel has been watched."),
        .gauge("shortWindowSeconds", \.shortWindow, .seconds, "Length of the short window."),
        .gauge("longWindowSeconds", \.longWindow, .seconds, "Length of the long window."),
        .gauge(
            "shortLossPPM", \.shortLossPPM, .partsPerMillion, "Packets that no repair brought, in the short window."),
        .gauge("longLossPPM", \.longLossPPM, .partsPerMillion, "Packets that no repair brought, in the long window."),
        .gauge("bitsPerSecond", \.bitsPerSecond, .bitsPerSecond, "What came to the ports in the last second."),
        .gauge("rtpJitterUs", \.jitter.microseconds, .microseconds, "Interarrival jitter of RFC 3550, 6.4.1."),
        .gauge(
            "rtpPeakJitterUs", \.peakJitter.microseconds, .microseconds,
            "Greatest difference of the transit times of two packets in a row, in the short window."),
        Statistic("isConstantRate", .gauge, .none, "Whether PCRs are held against a constant rate.") { quality in
            .flag(quality.isConstantRate)
        },
        .gauge(
            "worstPCRNs", \.worstPCR.count, .nanoseconds,
            "How far the worst PCR of the short window is off the constant rate."),
    ]
}
