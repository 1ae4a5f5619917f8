// SPDX-License-Identifier: Apache-2.0

/// An interface as it is from one coming up to the next going down: what is joined on it holds as long as this does.
public struct LinkAttachment: Hashable, Sendable {
    public var index: UInt32
    /// Of no two links the same, and another whenever the link comes up.
    public var session: Int
    /// Another whenever the link gets its first address of a family: reports sent before that had no sender.
    public var addressing: Int

    public init(index: UInt32, session: Int, addressing: Int = 0) {
        self.index = index
        self.session = session
        self.addressing = addressing
    }
}
