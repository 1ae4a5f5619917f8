// SPDX-License-Identifier: Apache-2.0

/// Counts of the text thread since it started.
public struct ScreenTextCounters: Sendable, Hashable {
    public var typesettings: Int64 = 0
    public var removals: Int64 = 0
    public var drawErrors: Int64 = 0
    public var refused: Int64 = 0

    public init() {}
}
