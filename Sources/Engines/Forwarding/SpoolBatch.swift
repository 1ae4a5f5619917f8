// SPDX-License-Identifier: Apache-2.0

/// Reports of one boot that go up together, in the order of their sequences.
public struct SpoolBatch: Equatable, Sendable {
    public let boot: BootID
    /// At least one.
    public let records: [SpoolRecord]

    package init(_ boot: BootID, _ records: [SpoolRecord]) {
        self.boot = boot
        self.records = records
    }

    /// - Parameter count: at least 1.
    func prefix(_ count: Int) -> SpoolBatch { SpoolBatch(boot, Array(records.prefix(count))) }

    public var sequences: RangeSet<UInt64> { RangeSet(sequences: records.lazy.map(\.sequence)) }
}
