// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// What became of a channel's memberships.
public enum MembershipReport: Equatable, Sendable {
    /// Their link went: groups are left until it returns.
    case linkLost(group: String)
    /// Joined on the link as it is now: it came up, it is another, or it has an address at last.
    case linkFollowed(group: String, interface: UInt32)
    /// Nothing came: left and joined again, so that the network hears a report.
    case renewed(group: String)
    /// Tried beside those before, which are silent.
    case sourceTried(String)
    /// This one is heard now.
    case sourceChanged(String)
    /// Tried again after a moment.
    case failed(SystemCallError)
}
