// SPDX-License-Identifier: Apache-2.0

/// Which sections of a table have been read already, told by their CRC: it covers version and content, so it also
/// catches a multiplexer that changes a table and forgets the version.
struct SectionVersions: Sendable {
    private var checksums: [UInt32?] = []
    private var tableExtension: UInt16?

    /// Whether the section is current and was not remembered.
    func isNews(_ header: SectionHeader) -> Bool {
        guard header.isCurrent else { return false }
        guard tableExtension == header.tableExtension, checksums.count == Int(header.lastNumber) + 1 else {
            return true
        }
        return checksums[Int(header.number)] != header.crc  // number is at most lastNumber
    }

    mutating func remember(_ header: SectionHeader) {
        let count = Int(header.lastNumber) + 1
        if tableExtension != header.tableExtension || checksums.count != count {
            tableExtension = header.tableExtension
            checksums = Array(repeating: nil, count: count)
        }
        checksums[Int(header.number)] = header.crc
    }
}
