// SPDX-License-Identifier: Apache-2.0

/// What a program shows now and what comes next, as its stream says.
public struct PresentFollowing: Sendable, Equatable {
    /// Nil in a gap of the schedule, and where the stream tells nothing.
    public internal(set) var now: EIT.Event?
    public internal(set) var next: EIT.Event?

    public init(now: EIT.Event? = nil, next: EIT.Event? = nil) {
        self.now = now
        self.next = next
    }
}
