// SPDX-License-Identifier: Apache-2.0
import Statistics

/// Datagrams of a group.
public struct GroupCounters: Hashable, Sendable {
    public var sent: UInt64 = 0
    public var sendFailures: UInt64 = 0
    /// Announcements of others that counted.
    public var received: UInt64 = 0
    /// From holders of the key who did not hear this box, or recordings.
    public var unanswered: UInt64 = 0
    /// Datagrams that came a second time, recordings, and such as were overtaken.
    public var repeated: UInt64 = 0
    /// With a tag that is not of the key.
    public var forged: UInt64 = 0
    /// Of another protocol or version, or too long.
    public var foreign: UInt64 = 0
    /// From holders of the key, but not readable.
    public var malformed: UInt64 = 0
    public var rests: UInt64 = 0
    /// New instances of this box since its start.
    public var renewed: UInt64 = 0

    public init() {}

    public static let statistics: [Statistic<Self>] = [
        .counter("sent", \.sent, "datagrams", "Announcements that were sent to the group."),
        .counter("sendFailures", \.sendFailures, "datagrams", "Announcements that could not be sent.", .fault),
        .counter("received", \.received, "datagrams", "Announcements of other boxes of the group."),
        .counter(
            "unanswered", \.unanswered, "datagrams",
            "Datagrams of senders that did not hear this box yet; recordings are among them."),
        .counter(
            "repeated", \.repeated, "datagrams",
            "Datagrams that came twice or were overtaken; recordings are among them."),
        .counter("forged", \.forged, "datagrams", "Datagrams without a tag of this group's key.", .fault),
        .counter("foreign", \.foreign, "datagrams", "Datagrams of another protocol or version, or too long.", .fault),
        .counter(
            "malformed", \.malformed, "datagrams", "Datagrams of holders of the key that could not be read.", .fault),
        .counter("rests", \.rests, "pauses", "Pauses because datagrams came too fast.", .fault),
        .counter("renewed", \.renewed, "instances", "Instances that this box took after its first one."),
    ]
}
