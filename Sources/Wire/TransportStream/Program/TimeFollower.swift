// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// Reads the time in a multiplex from the packets of its PID.
struct TimeFollower: Sendable {
    /// UTC of the table that came last; nil before the first.
    private(set) var utc: WallTime?
    /// Sections whose content violates their standard, and time offset tables whose CRC is wrong.
    private(set) var malformedSections: UInt64 = 0

    private var assembler = SectionAssembler()

    /// - Parameter packet: a packet of the PID of time tables.
    /// - Returns: whether a table was completed.
    mutating func push(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Bool {
        var (read, malformed) = (WallTime?.none, UInt64(0))
        assembler.push(packet, in: bytes) { section in
            guard section.first == TimeTable.dateTableID || section.first == TimeTable.offsetTableID else { return }
            do throws(WireError) {
                read = try TimeTable(section).utc
            } catch {
                malformed += 1
            }
        }
        malformedSections &+= malformed
        if let read { utc = read }
        return read != nil
    }
}
