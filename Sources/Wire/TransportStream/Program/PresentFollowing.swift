// SPDX-License-Identifier: Apache-2.0

/// The present and the following event of a program, from its stream.
public struct PresentFollowing: Sendable, Equatable {
    /// The present event; nil in a gap of the schedule or without event information. The same holds for `next`, the
    /// following event.
    public internal(set) var now: EIT.Event?
    public internal(set) var next: EIT.Event?

    public init(now: EIT.Event? = nil, next: EIT.Event? = nil) {
        self.now = now
        self.next = next
    }
}
