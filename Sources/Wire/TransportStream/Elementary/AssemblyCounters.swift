// SPDX-License-Identifier: Apache-2.0

/// Counts of damaged and dropped units of one PID; `TSCounters` holds their sums.
struct AssemblyCounters: Sendable, Equatable {
    /// Units dropped because they are longer than the limit.
    var oversizedUnits: UInt64 = 0
    var damagedUnits: UInt64 = 0
    /// PES packets dropped because their header cannot be read.
    var malformedUnits: UInt64 = 0
    /// PES packets whose data are invalid for the stream's codec, at least in part; that part was dropped.
    var malformedContents: UInt64 = 0
    /// PES packets dropped because their header says that they are scrambled.
    var scrambledUnits: UInt64 = 0
    /// PES packets whose DTS is after their PTS.
    var disorderedTimes: UInt64 = 0
}
