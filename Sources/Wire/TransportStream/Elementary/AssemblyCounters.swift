// SPDX-License-Identifier: Apache-2.0

/// What befell the units of one PID; summed up in `TSCounters`.
struct AssemblyCounters: Sendable, Equatable {
    /// Longer than the limit.
    var oversizedUnits: UInt64 = 0
    var damagedUnits: UInt64 = 0
    /// PES packets dropped because their header cannot be read.
    var malformedUnits: UInt64 = 0
    /// PES packets whose data are, at least in part, not what the stream should hold; that part was dropped.
    var malformedContents: UInt64 = 0
    /// PES packets dropped because their header says that they are scrambled.
    var scrambledUnits: UInt64 = 0
    /// PES packets that are to be decoded after they are presented.
    var disorderedTimes: UInt64 = 0
}
