// SPDX-License-Identifier: Apache-2.0

/// What happened to the box's own side of the network.
public enum LinkChange: Hashable, Sendable {
    case link(name: String, isUp: Bool)
    /// The first address of its family.
    case address(name: String)
    /// A route came or went: what is heard by the route may be on another interface.
    case routes
}
