// SPDX-License-Identifier: Apache-2.0

/// Which sections of a table have been read already, told by their CRC: it covers version and content, so it also
/// catches a multiplexer that changes a table and forgets the version.
struct SectionVersions: Sendable {
    private var checksums: [UInt32?] = []
    private var tableExtension: UInt16?

    /// - Returns: whether the section is current and was not seen before. Allocates only when the table's size changes.
    mutating func isNews(_ header: SectionHeader) -> Bool {
        guard header.isCurrent else { return false }
        let count = Int(header.lastNumber) + 1
        if tableExtension != header.tableExtension || checksums.count != count {
            tableExtension = header.tableExtension
            checksums = Array(repeating: nil, count: count)
        }
        let index = Int(header.number)  // at most lastNumber
        guard checksums[index] != header.crc else { return false }
        checksums[index] = header.crc
        return true
    }
}
