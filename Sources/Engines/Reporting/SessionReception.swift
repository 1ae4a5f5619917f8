// SPDX-License-Identifier: Apache-2.0

/// Totals of packets that a playing session has received and lost since it was opened.
public struct SessionReception: Hashable, Sendable {
    public var session: Int
    public var received: Int64
    /// Packets that did not come and were not repaired.
    public var lost: Int64

    public init(session: Int, received: Int64, lost: Int64) {
        self.session = session
        self.received = received
        self.lost = lost
    }
}
