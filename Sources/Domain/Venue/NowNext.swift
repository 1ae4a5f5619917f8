// SPDX-License-Identifier: Apache-2.0

/// What a channel shows now, and what comes next.
public struct NowNext: Hashable, Sendable {
    /// Nil in a gap of the schedule, and where nothing is known.
    public var now: Broadcast?
    public var next: Broadcast?

    public init(now: Broadcast? = nil, next: Broadcast? = nil) {
        self.now = now
        self.next = next
    }

    public var isEmpty: Bool { now == nil && next == nil }
}
