// SPDX-License-Identifier: Apache-2.0

/// The sections of a PID that nobody else reads: whether they are whole, and whether they belong there.
struct SectionWatch: Sendable {
    /// The table that alone may be here; nil for any.
    private let tableID: UInt8?
    private var assembler = SectionAssembler()

    init(tableID: UInt8?) { self.tableID = tableID }

    mutating func reset() { assembler.reset() }

    /// - Returns: what the packet ended.
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
