// SPDX-License-Identifier: Apache-2.0

/// Statistics of announcements, by the names of the reference product where it has them (SVM-103…110, 120).
///
/// `channelsAdded` = `channelsPruned` + `channelsDeleted` + `channelsRevoked` + the announced channels now listed.
public struct LineUpCounters: Equatable, Sendable {
    /// All datagrams.
    public var announcementsReceived: UInt64 = 0

    // A faulty datagram counts in exactly one of these.
    public var announcementsNotAllowed: UInt64 = 0
    public var announcementsMalformed: UInt64 = 0
    public var announcementsEncrypted: UInt64 = 0
    /// Not read: the sender's new and changed announcements come too often.
    public var announcementsOverRate: UInt64 = 0
    /// Not read: those of all senders together come too often.
    public var announcementsOverTotalRate: UInt64 = 0
    public var announcementsUnknownType: UInt64 = 0
    public var invalidJsonAnnouncements: UInt64 = 0
    public var versionMismatchAnnouncements: UInt64 = 0
    public var announcementsUnplayable: UInt64 = 0
    public var announcementsConflicting: UInt64 = 0
    public var announcementsOverQuota: UInt64 = 0
    public var announcementsOverflowing: UInt64 = 0
    public var licenseMismatchAnnouncements: UInt64 = 0
    /// Announcements of channels that are listed without their repair, because the box does not support it.
    public var announcementsUnrepairable: UInt64 = 0

    /// SDP of sessions that are announced in JSON too; this is no fault.
    public var announcementsTwin: UInt64 = 0
    /// Announced channels that were added to the list; channels of the settings do not count.
    public var channelsAdded: UInt64 = 0
    public var channelsPruned: UInt64 = 0
    public var channelsDeleted: UInt64 = 0
    public var channelsRevoked: UInt64 = 0
    /// Groups left and joined again by IGMP or MLD because they were silent. The listener counts them; they are kept
    /// here.
    public var listenerIgmpRestarts: UInt64 = 0
    /// Datagrams that the kernel dropped because they came faster than the listener reads; `announcementsReceived` does
    /// not have them. Counted by the listener and kept here, too.
    public var announcementsLostToKernel: UInt64 = 0

    public init() {}

    public var faults: UInt64 {
        announcementsNotAllowed + announcementsMalformed + announcementsEncrypted + announcementsOverRate
            + announcementsOverTotalRate + announcementsUnknownType + invalidJsonAnnouncements
            + versionMismatchAnnouncements + announcementsUnplayable + announcementsConflicting
            + announcementsOverQuota + announcementsOverflowing
            + licenseMismatchAnnouncements + announcementsUnrepairable
    }

    mutating func count(_ fault: LineUpFault.Reason) {
        switch fault {
        case .notAllowed: announcementsNotAllowed += 1
        case .malformed, .incompressible: announcementsMalformed += 1
        case .encrypted: announcementsEncrypted += 1
        case .overRate: announcementsOverRate += 1
        case .overTotalRate: announcementsOverTotalRate += 1
        case .unknownType: announcementsUnknownType += 1
        case .invalidJSON: invalidJsonAnnouncements += 1
        case .versionMismatch: versionMismatchAnnouncements += 1
        case .unplayable: announcementsUnplayable += 1
        case .conflicting: announcementsConflicting += 1
        case .overQuota: announcementsOverQuota += 1
        case .overflowing: announcementsOverflowing += 1
        case .licenseMismatch: licenseMismatchAnnouncements += 1
        case .unusableRepair: announcementsUnrepairable += 1
        }
    }

    mutating func count(_ removal: LineUpChange.Removal) {
        switch removal {
        case .pruned: channelsPruned += 1
        case .deleted: channelsDeleted += 1
        case .revoked: channelsRevoked += 1
        }
    }
}
