// SPDX-License-Identifier: Apache-2.0

/// Counts of the text thread since it started.
public struct ScreenTextCounters: Sendable, Hashable {
    /// Pictures and tickers that were typeset. Nothing is typeset while nothing changes.
    public var typesettings: Int64 = 0
    /// How long what was typeset last took, microseconds: all that changed at once. 0: nothing was yet.
    public var typesettingUs: Int64 = 0
    /// Planes that were cleared.
    public var removals: Int64 = 0
    public var drawErrors: Int64 = 0
    /// Commands that the stage refused; they are sent again.
    public var refused: Int64 = 0

    public init() {}
}
