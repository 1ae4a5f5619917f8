// SPDX-License-Identifier: Apache-2.0

/// Remembers which sections of a table have been read, by their CRC. The CRC covers version and content, so a table
/// that changes without a new version is noticed as well.
struct SectionVersions: Sendable {
    private var checksums: [UInt32?] = []
    private var tableExtension: UInt16?

    /// Whether the section is current and has not been read.
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
