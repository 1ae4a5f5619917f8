// SPDX-License-Identifier: Apache-2.0

/// What a session has counted of its reception since it was joined.
public struct SessionCounters: Hashable, Sendable {
    /// Id of the session.
    public var session: Int64
    /// Packets that came.
    public var packets: Int64
    /// Packets that nothing brought.
    public var lost: Int64
    /// Protection windows.
    public var windows: Int64
    /// Of these, those that could not be repaired.
    public var failedWindows: Int64

    public init(session: Int64, packets: Int64, lost: Int64, windows: Int64 = 0, failedWindows: Int64 = 0) {
        self.session = session
        self.packets = packets
        self.lost = lost
        self.windows = windows
        self.failedWindows = failedWindows
    }

    /// What was counted after `before`. nil if a counter went back: the session was joined again.
    func since(_ before: SessionCounters) -> SessionCounters? {
        let grown = SessionCounters(
            session: session, packets: packets &- before.packets, lost: lost &- before.lost,
            windows: windows &- before.windows, failedWindows: failedWindows &- before.failedWindows)
        let isReset = min(grown.packets, grown.lost, grown.windows, grown.failedWindows) < 0
        return isReset ? nil : grown
    }
}
