// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What a companion of a television counts.
public struct CompanionSessionCounters: Hashable, Sendable {
    public var connections: UInt64 = 0
    public var connectionsRefused: UInt64 = 0
    /// Connections that failed, were closed by the server, or broke.
    public var connectionsLost: UInt64 = 0
    public var serversSilent: UInt64 = 0
    public var informationMessages: UInt64 = 0
    public var informationMalformed: UInt64 = 0
    public var versionsRefused: UInt64 = 0
    public var timestampsTaken: UInt64 = 0
    /// Corrections too small to be taken, and repetitions.
    public var timestampsInsignificant: UInt64 = 0
    /// Texts that are no control timestamp, or whose speed cannot be.
    public var timestampsMalformed: UInt64 = 0
    /// Control timestamps with an instant before that of an earlier one. They are taken.
    public var timestampsBackwards: UInt64 = 0

    public init() {}
}

extension CompanionSessionCounters {
    public static let statistics: [Statistic<Self>] = [
        .counter("connections", \.connections, "connections", "Connections to services of a television."),
        .counter(
            "connectionsRefused", \.connectionsRefused, "connections",
            "Connections that a television refused with an HTTP status.", .fault),
        .counter(
            "connectionsLost", \.connectionsLost, "connections",
            "Connections to a television that failed, broke, or were closed by it.", .fault),
        .counter(
            "serversSilent", \.serversSilent, "times",
            "Times that a television did not accept a connection in time, or said nothing on it.", .fault),
        .counter(
            "informationMessages", \.informationMessages, "messages",
            "Messages in which a television said what it presents."),
        .counter(
            "informationMalformed", \.informationMalformed, "messages",
            "Messages of CSS-CII that could not be read.", .fault),
        .counter(
            "versionsRefused", \.versionsRefused, "messages",
            "Messages of CSS-CII of another version than 1.1.", .fault),
        .counter("timestamps", \.timestampsTaken, "messages", "Control timestamps that were taken."),
        .counter(
            "timestampsInsignificant", \.timestampsInsignificant, "messages",
            "Control timestamps that said nothing new; no fault."),
        .counter(
            "timestampsMalformed", \.timestampsMalformed, "messages",
            "Control timestamps that could not be read, or with a speed that cannot be.", .fault),
        .counter(
            "timestampsBackwards", \.timestampsBackwards, "messages",
            "Control timestamps with an instant before that of an earlier one.", .fault),
    ]
}
