// SPDX-License-Identifier: Apache-2.0

/// What has come of a session that plays, and what has not, since it was opened. Totals, in packets.
public struct SessionReception: Hashable, Sendable {
    public var session: Int
    public var received: Int64
    /// After repair: nothing will bring them any more.
    public var lost: Int64

    public init(session: Int, received: Int64, lost: Int64) {
        self.session = session
        self.received = received
        self.lost = lost
    }
}
