// SPDX-License-Identifier: Apache-2.0

/// Reports of one boot that are not sent any more.
public struct Settlement: Equatable, Sendable {
    public let boot: BootID
    /// The reporter has them.
    public let acknowledged: RangeSet<UInt64>
    /// The reporter will never take them.
    public let refused: RangeSet<UInt64>

    package init(_ boot: BootID, acknowledged: RangeSet<UInt64>, refused: RangeSet<UInt64>) {
        self.boot = boot
        self.acknowledged = acknowledged
        self.refused = refused
    }
}
