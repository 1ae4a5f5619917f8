// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What a server of CSS-TS counts.
public struct TSServerCounters: Hashable, Sendable {
    public var clients = CompanionServerCounters()
    /// First messages that are no set-up data.
    public var setupsMalformed: UInt64 = 0
    public var setupsRepeated: UInt64 = 0
    /// Clients that did not send set-up data in time.
    public var setupsLate: UInt64 = 0
    /// Later messages that are neither set-up data nor presentation timestamps.
    public var presentationsMalformed: UInt64 = 0
    /// Presentation timestamps that cannot be met: the earliest is after the latest, or they are beyond all bounds.
    public var presentationsAbsurd: UInt64 = 0

    public init() {}

    public static let statistics: [Statistic<Self>] =
        CompanionServerCounters.statistics(\.clients) + [
            .counter(
                "setupsMalformed", \.setupsMalformed, "messages",
                "First messages of companions that are no set-up data.", .fault),
            .counter(
                "setupsRepeated", \.setupsRepeated, "messages",
                "Set-up data that came a second time on a connection.", .fault),
            .counter(
                "setupsLate", \.setupsLate, "connections",
                "Companions that did not send set-up data in time.", .fault),
            .counter(
                "presentationsMalformed", \.presentationsMalformed, "messages",
                "Messages of companions that are neither set-up data nor presentation timestamps.", .fault),
            .counter(
                "presentationsAbsurd", \.presentationsAbsurd, "messages",
                "Presentation timestamps of companions that cannot be met.", .fault),
        ]
}
