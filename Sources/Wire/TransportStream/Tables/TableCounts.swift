// SPDX-License-Identifier: Apache-2.0

/// Counts of the sections received on a table's PID. None decreases while the same reader reads.
public struct TableCounts: Sendable, Equatable {
    /// Intact sections of the table, whether new or repeated.
    public var sections: UInt64 = 0
    /// Sections of other tables.
    public var foreign: UInt64 = 0
    /// Sections whose CRC is wrong.
    public var crcErrors: UInt64 = 0

    public init() {}

    mutating func add(_ other: TableCounts) {
        sections &+= other.sections
        foreign &+= other.foreign
        crcErrors &+= other.crcErrors
    }
}
