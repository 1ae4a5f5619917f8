// SPDX-License-Identifier: Apache-2.0

/// What whoever follows a program has seen of its tables, for those who watch them and do not read them again.
public struct TableLedger: Sendable, Equatable {
    public var association = TableCounts()
    public var map = TableCounts()
    public var description = TableCounts()
    /// Where the program's map is, by the PAT; nil while it lists no such program.
    public var mapPID: UInt16?
    public var program: Program?

    public init() {}

    init(
        association: TableCounts, map: TableCounts, description: TableCounts, mapPID: UInt16?, program: Program?
    ) {
        self.association = association
        self.map = map
        self.description = description
        self.mapPID = mapPID
        self.program = program
    }
}
