// SPDX-License-Identifier: Apache-2.0

/// What came on the PID of a table; none ever goes down while the same reader reads.
public struct TableCounts: Sendable, Equatable {
    /// Sections of the table that are whole, new or not.
    public var sections: UInt64 = 0
    /// Sections of other tables.
    public var foreign: UInt64 = 0
    /// Sections whose CRC does not hold.
    public var crcErrors: UInt64 = 0

    public init() {}

    mutating func add(_ other: TableCounts) {
        sections &+= other.sections
        foreign &+= other.foreign
        crcErrors &+= other.crcErrors
    }
}
