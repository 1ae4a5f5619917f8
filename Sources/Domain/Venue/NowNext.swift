// SPDX-License-Identifier: Apache-2.0

/// The programme that a channel shows now, and the one that follows.
public struct NowNext: Hashable, Sendable {
    /// nil in a gap of the schedule, and when nothing is known.
    public var now: Broadcast?
    public var next: Broadcast?

    public init(now: Broadcast? = nil, next: Broadcast? = nil) {
        self.now = now
        self.next = next
    }

    public var isEmpty: Bool { now == nil && next == nil }
}
