// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// A file of captured frames in the classic format of libpcap (draft-ietf-opsawg-pcap): a header, then a record for each
/// frame. Times are in nanoseconds and numbers in network order; whoever reads it sees both from the magic number.
///
///      0                   1                   2                   3
///     +---------------------------------------------------------------+
///     | magic 0xA1B23C4D: nanoseconds                                 |
///     | major version 2               | minor version 4               |
///     | 0                                                             |
///     | 0                                                             |
///     | snap length: the most octets of a frame that are kept         |
///     | link type 1: Ethernet                                         |
///     +---------------------------------------------------------------+
public enum CaptureFile {
    public static let headerOctets = 24
    public static let recordHeaderOctets = 16
    private static let magic: UInt32 = 0xa1b2_3c4d
    private static let ethernet: UInt32 = 1

    /// - Parameter snap: the most octets of a frame that are kept.
    public static func header(snap: Int) -> [UInt8] {
        var writer = WireWriter(reserving: headerOctets)
        writer.write(magic)
        writer.write(UInt16(2))
        writer.write(UInt16(4))
        writer.write(UInt64(0))
        writer.write(UInt32(clamping: snap))
        writer.write(ethernet)
        return writer.bytes
    }

    /// What stands in front of a frame: its time, how much of it is kept, and how long it was on the wire.
    ///
    ///     +---------------------------------------------------------------+
    ///     | seconds since 1970                                            |
    ///     | nanoseconds                                                   |
    ///     | octets that are kept                                          |
    ///     | octets of the whole frame                                     |
    ///     +---------------------------------------------------------------+
    ///
    /// A time before 1970 is written as 0, and one after 2106 as the last that the field has.
    public static func recordHeader(at time: WallTime, kept: Int, of length: Int) -> [UInt8] {
        var writer = WireWriter(reserving: recordHeaderOctets)
        let nanoseconds = max(0, time.nanoseconds)
        writer.write(UInt32(clamping: nanoseconds / 1_000_000_000))
        writer.write(UInt32(truncatingIfNeeded: nanoseconds % 1_000_000_000))
        writer.write(UInt32(clamping: kept))
        writer.write(UInt32(clamping: length))
        return writer.bytes
    }
}
