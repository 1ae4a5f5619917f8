// SPDX-License-Identifier: Apache-2.0

/// What the text thread has counted since it started.
public struct ScreenTextCounters: Sendable, Hashable {
    /// Pictures and tickers that were typeset: none while nothing changes.
    public var typesettings: Int64 = 0
    /// Planes that were emptied.
    public var removals: Int64 = 0
    public var drawErrors: Int64 = 0
    /// Pictures that the stage did not take; tried again.
    public var refused: Int64 = 0

    public init() {}
}
