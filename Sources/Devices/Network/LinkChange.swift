// SPDX-License-Identifier: Apache-2.0

/// A change on the box's own side of the network.
public enum LinkChange: Hashable, Sendable {
    case link(name: String, isUp: Bool)
    /// The link got the first address of its family.
    case address(name: String)
    /// A route came or went; a group joined by the route may now be on another interface.
    case routes
}
