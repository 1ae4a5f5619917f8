// SPDX-License-Identifier: Apache-2.0
import Bytes

/// What all sections with the long syntax begin with (ISO/IEC 13818-1 2.4.4.11), and the place of their content.
///
///     +----------+-+-+--+------------+--------------------+--+-------+-+---------+--------+-----+-----+
///     | table_id |1|0|rr| length 12  | table extension 16 |rr|version|N| section | last   | ... | CRC |
///     +----------+-+-+--+------------+--------------------+--+-------+-+---------+--------+-----+-----+
public struct SectionHeader: Sendable, Equatable {
    public let tableID: UInt8
    /// transport_stream_id, program_number or what else tells tables of one table_id apart.
    public let tableExtension: UInt16
    public let version: UInt8
    /// current_next_indicator: false announces a table that does not hold yet.
    public let isCurrent: Bool
    public let number: UInt8
    public let lastNumber: UInt8
    public let crc: UInt32
    /// Between this header and the CRC.
    public let body: Range<Int>

    /// Octets up to and including section_length.
    static var lengthFieldEnd: Int { 3 }

    /// - Throws: `.invalid` when the CRC does not hold or the length is not that of `bytes`.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        try self.init(intact: bytes)
        guard SectionHeader.isIntact(bytes) else {
            throw WireError(.invalid("CRC_32", UInt64(crc)), at: body.upperBound)
        }
    }

    /// Whether it ends in a CRC: all of the long syntax do, and of the short one the time offset table.
    static func hasChecksum(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= lengthFieldEnd && (bytes[1] & 0x80 != 0 || bytes[0] == TimeTable.offsetTableID)
    }

    static func isIntact(_ bytes: UnsafeRawBufferPointer) -> Bool { CRC32MPEG.checksum(of: bytes) == 0 }

    /// - Parameter bytes: a section whose CRC was found to hold.
    init(intact bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        tableID = try reader.read()
        let length: UInt16 = try reader.read()
        guard length & 0x8000 != 0 else { throw WireError(.unsupported("section_syntax_indicator", 0), at: 1) }
        guard Int(length & 0xFFF) == reader.remaining else {
            throw WireError(.invalid("section_length", UInt64(length & 0xFFF)), at: 1)
        }
        tableExtension = try reader.read()
        let flags: UInt8 = try reader.read()
        version = flags >> 1 & 0x1F
        isCurrent = flags & 1 != 0
        number = try reader.read()
        lastNumber = try reader.read()
        guard number <= lastNumber else { throw WireError(.invalid("section_number", UInt64(number)), at: 6) }
        body = try reader.take(reader.remaining - 4)
        crc = try reader.read()
    }

    /// Likewise, and of one table only.
    init(_ bytes: UnsafeRawBufferPointer, tableID: UInt8) throws(WireError) {
        try self.init(bytes)
        guard self.tableID == tableID else { throw WireError(.unsupported("table_id", UInt64(self.tableID)), at: 0) }
    }
}
