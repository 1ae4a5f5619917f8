// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Reads one table from the packets of its PID, each section once. It allocates only when a section is new.
struct TableReader: Sendable {
    /// table_id_extension of the sections to read; nil for any.
    var tableExtension: UInt16?
    /// Counts of the sections received on the PID.
    private(set) var counts = TableCounts()
    /// Sections whose content violates their standard.
    private(set) var malformedSections: UInt64 = 0

    private let tableID: UInt8
    private var assembler = SectionAssembler()
    private var versions = SectionVersions()

    init(tableID: UInt8) { self.tableID = tableID }

    /// Starts afresh for another PID; the counters stay.
    mutating func reset(tableExtension: UInt16?) {
        self.tableExtension = tableExtension
        assembler.reset()
        versions = SectionVersions()
    }

    /// - Parameter read: called for each current section that has not been read. It returns whether all of the section
    ///   could be read; what could is used in either case.
    mutating func push(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer,
        read: (UnsafeRawBufferPointer, SectionHeader) throws(WireError) -> Bool
    ) {
        var news = TableCounts()
        var malformed: UInt64 = 0
        var seen = SectionVersions()
        swap(&seen, &versions)
        let (id, wanted) = (tableID, tableExtension)
        assembler.push(packet, in: bytes) { section in
            let isForeign = section.first != id
            if isForeign { news.foreign += 1 }
            guard SectionHeader.isIntact(section) || isForeign && !SectionHeader.hasChecksum(section) else {
                news.crcErrors += 1
                return
            }
            guard !isForeign else { return }
            do throws(WireError) {
                let header = try SectionHeader(intact: section)
                guard wanted == nil || wanted == header.tableExtension else { return }
                news.sections += 1
                guard seen.isNews(header) else { return }
                if try !read(section, header) { malformed += 1 }
                seen.remember(header)
            } catch {
                malformed += 1
            }
        }
        swap(&seen, &versions)
        counts.add(news)
        malformedSections &+= malformed
    }
}
