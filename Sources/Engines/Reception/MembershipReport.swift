// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// A change of a channel's memberships.
public enum MembershipReport: Equatable, Sendable {
    /// The group's link went down: the group is left until it returns.
    case linkLost(group: String)
    /// The group was joined on the link as it is now: the link came up, is another one, or has got its first address.
    case linkFollowed(group: String, interface: UInt32)
    /// Nothing arrived, or all groups are renewed: the group was left and joined again, so that the network receives a new
    /// report.
    case renewed(group: String)
    /// A further source was joined, because the sources before it are silent.
    case sourceTried(String)
    /// Datagrams now come from this source.
    case sourceChanged(String)
    /// A join failed; it is tried again later.
    case failed(SystemCallError)
}
