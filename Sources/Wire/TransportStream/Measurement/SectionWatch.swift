// SPDX-License-Identifier: Apache-2.0

/// Checks the sections of a PID that are not read elsewhere: whether they are intact, and whether their table is
/// allowed on the PID.
struct SectionWatch: Sendable {
    /// The only table_id allowed on the PID; nil for any.
    private let tableID: UInt8?
    private var assembler = SectionAssembler()

    init(tableID: UInt8?) { self.tableID = tableID }

    mutating func reset() { assembler.reset() }

    /// - Returns: counts of the sections that the packet completed.
    mutating func push(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> TableCounts {
        var news = TableCounts()
        let wanted = tableID
        assembler.push(packet, in: bytes) { section in
            let isForeign = wanted != nil && section.first != wanted
            if isForeign { news.foreign += 1 }
            guard !SectionHeader.hasChecksum(section) || SectionHeader.isIntact(section) else {
                news.crcErrors += 1
                return
            }
            if !isForeign { news.sections += 1 }
        }
        return news
    }
}
