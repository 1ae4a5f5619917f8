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
    /// How often sections came whose CRC is wrong, by their checksum.
    private var doubtful: [UInt32: Int] = [:]
    /// A section whose CRC is wrong is as it was sent if it comes so often with the same octets: some senders write a
    /// wrong CRC, and what a link damages is damaged otherwise each time.
    private static let proof = 3
    private static let mostDoubtful = 16

    init(tableID: UInt8) { self.tableID = tableID }

    /// Starts afresh for another PID; the counters stay.
    mutating func reset(tableExtension: UInt16?) {
        self.tableExtension = tableExtension
        assembler.reset()
        versions = SectionVersions()
        doubtful = [:]
    }

    /// - Parameter read: called for each current section that has not been read. It returns whether all of the section
    ///   could be read; what could is used in either case.
    mutating func push(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer,
        read: (UnsafeRawBufferPointer, SectionHeader) throws(WireError) -> Bool
    ) {
        var news = TableCounts()
        var malformed: UInt64 = 0
        var (seen, doubts) = (SectionVersions(), [UInt32: Int]())
        swap(&seen, &versions)
        swap(&doubts, &doubtful)
        let (id, wanted) = (tableID, tableExtension)
        assembler.push(packet, in: bytes) { section in
            let isForeign = section.first != id
            if isForeign { news.foreign += 1 }
            let isIntact = SectionHeader.isIntact(section) || isForeign && !SectionHeader.hasChecksum(section)
            if !isIntact { news.crcErrors += 1 }
            guard !isForeign, isIntact || TableReader.isConfirmed(section, &doubts) else { return }
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
        swap(&doubts, &doubtful)
        counts.add(news)
        malformedSections &+= malformed
    }

    private static func isConfirmed(_ section: UnsafeRawBufferPointer, _ doubts: inout [UInt32: Int]) -> Bool {
        let checksum = CRC32MPEG.checksum(of: section)
        if doubts.count >= mostDoubtful, doubts[checksum] == nil { doubts = [:] }
        let count = min(proof, (doubts[checksum] ?? 0) + 1)
        doubts[checksum] = count
        return count >= proof
    }
}
