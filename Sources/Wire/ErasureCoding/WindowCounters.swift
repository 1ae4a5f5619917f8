// SPDX-License-Identifier: Apache-2.0

/// What became of the protection windows of a flow (SVM-113, 121…126). Totals; each window once, when it is done with, so
/// that `withoutLoss + repaired + failed + refused == windows` at any time.
public struct WindowCounters: Hashable, Sendable {
    public var windows: Int64 = 0
    public var withoutLoss: Int64 = 0
    public var repaired: Int64 = 0
    /// Fewer repair packets than packets were lost.
    public var failed: Int64 = 0
    /// More packets than we support (`window_error`).
    public var refused: Int64 = 0
    /// More packets than advised (`window_warning`); counted among the others too.
    public var oversized: Int64 = 0
    /// Packets that were lost and made again, and those that stayed lost.
    public var recoveredPackets: Int64 = 0
    public var unrecoveredPackets: Int64 = 0

    public init() {}
}
