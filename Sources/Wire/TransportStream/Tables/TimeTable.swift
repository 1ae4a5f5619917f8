// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// The time in a multiplex: the time and date table or the time offset table (ETSI EN 300 468 5.2.5, 5.2.6). Their
/// sections have the short syntax; only the time offset table has a CRC.
///
///     +----------+-+-+--+------------+--------+  +----+---------+-------------+--------+
///     | table_id |0|1|rr| length 12  | UTC 40 |  |rrrr|length 12| descriptors | CRC 32 |
///     +----------+-+-+--+------------+--------+  +----+---------+-------------+--------+
public struct TimeTable: Sendable, Equatable {
    public static var dateTableID: UInt8 { 0x70 }
    public static var offsetTableID: UInt8 { 0x73 }

    /// UTC in whole seconds.
    public let utc: WallTime
    /// Offsets by region, but for those that could not be read; nil for a time and date table. The length of a section
    /// allows at most 76.
    public let offsets: [LocalTimeOffset]?

    public init(utc: WallTime, offsets: [LocalTimeOffset]?) {
        self.utc = utc
        self.offsets = offsets
    }

    /// - Parameter section: the whole section, with its CRC if it has one.
    public init(_ section: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(section)
        let table: UInt8 = try reader.read()
        guard table == TimeTable.dateTableID || table == TimeTable.offsetTableID else {
            throw WireError(.unsupported("table_id", UInt64(table)), at: 0)
        }
        let length: UInt16 = try reader.read()
        guard length & 0x8000 == 0, Int(length & 0xFFF) == reader.remaining else {
            throw WireError(.invalid("section_length", UInt64(length)), at: 1)
        }
        guard let time = try DVBTime.time(from: &reader, "UTC_time") else {
            throw WireError(.invalid("UTC_time", 0xFF_FFFF_FFFF), at: 3)
        }
        guard table == TimeTable.offsetTableID else {
            guard reader.isAtEnd else { throw WireError(.invalid("section_length", UInt64(length & 0xFFF)), at: 1) }
            self.init(utc: time, offsets: nil)
            return
        }
        guard SectionHeader.isIntact(section) else { throw WireError(.invalid("CRC_32", 0), at: section.count - 4) }
        let loop: UInt16 = try reader.read()
        var rest = try reader.reader(of: reader.remaining - 4)
        var descriptors = Descriptors(from: &rest, length: Int(loop & 0xFFF))
        var offsets: [LocalTimeOffset] = []
        _ = descriptors.forEach { (tag, content) throws(WireError) in  // the time does not depend on them
            guard tag == Descriptors.Tag.localTimeOffset else { return }
            while !content.isAtEnd { offsets.append(try LocalTimeOffset(from: &content)) }
        }
        self.init(utc: time, offsets: offsets)
    }
}
