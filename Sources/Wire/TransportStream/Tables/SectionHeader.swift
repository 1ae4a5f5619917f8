// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The header of a section with the long syntax (ISO/IEC 13818-1 2.4.4.11), and the range of its content.
///
///     +----------+-+-+--+------------+--------------------+--+-------+-+---------+--------+-----+-----+
///     | table_id |1|0|rr| length 12  | table extension 16 |rr|version|N| section | last   | ... | CRC |
///     +----------+-+-+--+------------+--------------------+--+-------+-+---------+--------+-----+-----+
public struct SectionHeader: Sendable, Equatable {
    public let tableID: UInt8
    /// table_id_extension, such as transport_stream_id or program_number: it distinguishes tables of one table_id.
    public let tableExtension: UInt16
    public let version: UInt8
    /// current_next_indicator; false if the table is not yet applicable.
    public let isCurrent: Bool
    public let number: UInt8
    public let lastNumber: UInt8
    public let crc: UInt32
    /// Range of the content between this header and the CRC.
    public let body: Range<Int>

    /// Octets up to and including section_length.
    static var lengthFieldEnd: Int { 3 }

    /// - Throws: `.invalid` when the CRC is wrong or the length is not that of `bytes`.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        try self.init(intact: bytes)
        guard SectionHeader.isIntact(bytes) else {
            throw WireError(.invalid("CRC_32", UInt64(crc)), at: body.upperBound)
        }
    }

    /// Whether the section ends in a CRC. All sections of the long syntax do; of the short syntax, the time offset
    /// table does.
    static func hasChecksum(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= lengthFieldEnd && (bytes[1] & 0x80 != 0 || bytes[0] == TimeTable.offsetTableID)
    }

    static func isIntact(_ bytes: UnsafeRawBufferPointer) -> Bool { CRC32MPEG.checksum(of: bytes) == 0 }

    /// - Parameter bytes: a section whose CRC has been checked.
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

    /// Reads the header of a section whose CRC has not been checked, of one table only.
    init(_ bytes: UnsafeRawBufferPointer, tableID: UInt8) throws(WireError) {
        try self.init(bytes)
        guard self.tableID == tableID else { throw WireError(.unsupported("table_id", UInt64(self.tableID)), at: 0) }
    }
}
