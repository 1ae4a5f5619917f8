// SPDX-License-Identifier: Apache-2.0

/// Totals of the protection windows of a flow (SVM-113, 121…126). Each window counts once, at its end, so `withoutLoss
/// + repaired + failed + refused == windows` holds at any time.
public struct WindowCounters: Hashable, Sendable {
    public var windows: Int64 = 0
    public var withoutLoss: Int64 = 0
    public var repaired: Int64 = 0
    /// Windows with fewer repair packets than lost packets.
    public var failed: Int64 = 0
    /// Windows with more packets than are supported (`window_error`).
    public var refused: Int64 = 0
    /// Windows with more packets than advised (`window_warning`); each is also one of the others.
    public var oversized: Int64 = 0
    /// Lost packets that were recovered; `unrecoveredPackets` counts those that stayed lost.
    public var recoveredPackets: Int64 = 0
    public var unrecoveredPackets: Int64 = 0

    public init() {}
}
