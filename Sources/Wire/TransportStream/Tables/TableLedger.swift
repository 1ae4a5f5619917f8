// SPDX-License-Identifier: Apache-2.0

/// What a `ProgramFollower` has read from the tables of its program, for a monitor that does not read them again.
public struct TableLedger: Sendable, Equatable {
    public var association = TableCounts()
    public var map = TableCounts()
    public var description = TableCounts()
    /// PID of the program's map; nil while the PAT does not list the program.
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
