// SPDX-License-Identifier: Apache-2.0

/// The state of an interface from when it comes up until it goes down. A group joined on it stays joined that long.
public struct LinkAttachment: Hashable, Sendable {
    public var index: UInt32
    /// Unique over all links, and new whenever the link comes up.
    public var session: Int
    /// Changes when the link gets its first address of a family: IGMP and MLD reports sent before had no source
    /// address.
    public var addressing: Int

    public init(index: UInt32, session: Int, addressing: Int = 0) {
        self.index = index
        self.session = session
        self.addressing = addressing
    }
}
