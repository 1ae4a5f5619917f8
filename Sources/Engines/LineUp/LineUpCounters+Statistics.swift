// SPDX-License-Identifier: Apache-2.0
import Statistics
import Venue

extension LineUpCounters {
    /// By the names of the reference (SVM-103…110, 120), and ours where it has none.
    public static let statistics: [Statistic<Self>] = [
        .counter(
            "announcementsReceived", \.announcementsReceived, "datagrams",
            "Datagrams that came to the groups of announcements.", .page
        )
        .known(as: SessionStatistic.announcementsReceived.rawValue),
        // A faulty datagram counts in exactly one of these.
        .counter(
            "announcementsNotAllowed", \.announcementsNotAllowed, "datagrams",
            "Announcements of sources that are not allowed.", .page
        )
        .known(as: SessionStatistic.announcementsNotAllowed.rawValue),
        .counter(
            "announcementsMalformed", \.announcementsMalformed, "datagrams", "Announcements that cannot be read.",
            [.fault, .page]
        )
        .known(as: SessionStatistic.announcementsMalformed.rawValue),
        .counter(
            "announcementsEncrypted", \.announcementsEncrypted, "datagrams", "Announcements that are encrypted.",
            .fault),
        .counter(
            "announcementsOverRate", \.announcementsOverRate, "datagrams",
            "New or changed announcements of a sender that come more often than they are read.", .fault),
        .counter(
            "announcementsOverTotalRate", \.announcementsOverTotalRate, "datagrams",
            "New or changed announcements of all senders that come more often than they are read.", .fault),
        .counter(
            "announcementsUnknownType", \.announcementsUnknownType, "datagrams",
            "Announcements of an unknown payload type.", .fault),
        .counter(
            "invalidJsonAnnouncements", \.invalidJsonAnnouncements, "datagrams", "Announcements whose JSON is invalid.",
            [.fault, .page]
        )
        .known(as: SessionStatistic.invalidJsonAnnouncements.rawValue),
        .counter(
            "versionMismatchAnnouncements", \.versionMismatchAnnouncements, "datagrams",
            "Announcements of another version.", [.fault, .page]
        )
        .known(as: SessionStatistic.versionMismatchAnnouncements.rawValue),
        .counter(
            "announcementsUnplayable", \.announcementsUnplayable, "datagrams", "SDP without anything that a box plays.",
            .fault),
        .counter(
            "announcementsConflicting", \.announcementsConflicting, "datagrams",
            "Announcements of a session that belongs to another sender, still heard.", .fault),
        .counter(
            "announcementsOverQuota", \.announcementsOverQuota, "datagrams",
            "Announcements of a streamer that announces too many channels.", .fault),
        .counter(
            "announcementsOverflowing", \.announcementsOverflowing, "datagrams",
            "Announcements for which the line-up has no room.", .fault),
        .counter(
            "licenseMismatchAnnouncements", \.licenseMismatchAnnouncements, "datagrams",
            "Announcements of another licence.", [.fault, .page]
        )
        .known(as: SessionStatistic.licenseMismatchAnnouncements.rawValue),
        .counter(
            "announcementsUnrepairable", \.announcementsUnrepairable, "datagrams",
            "Announcements of channels listed without repair, which the box cannot do.", .fault),
        .counter(
            "announcementsTwin", \.announcementsTwin, "datagrams",
            "SDP of sessions that are announced in JSON too; no fault."),
        .counter("channelsAdded", \.channelsAdded, "channels", "Announced channels that came into the list.", .page)
            .known(as: SessionStatistic.channelsAdded.rawValue),
        .counter(
            "channelsPruned", \.channelsPruned, "channels",
            "Channels that left the list because they were announced no more.", .page
        )
        .known(as: SessionStatistic.channelsPruned.rawValue),
        .counter(
            "channelsDeleted", \.channelsDeleted, "channels",
            "Channels that left the list because their announcement was deleted."),
        .counter(
            "channelsRevoked", \.channelsRevoked, "channels",
            "Channels that left the list because their announcement changed."),
        .counter(
            "listenerIgmpRestarts", \.listenerIgmpRestarts, "rejoins",
            "Times that a silent group was left and joined again, by IGMP or MLD.", .page
        )
        .known(as: SessionStatistic.listenerIgmpRestarts.rawValue),
        .counter(
            "announcementsLostToKernel", \.announcementsLostToKernel, "datagrams",
            "Announcements that the kernel dropped because they came faster than they are read.", .fault),
    ]
}
