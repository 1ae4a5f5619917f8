// SPDX-License-Identifier: Apache-2.0
import Bytes

/// A temi_timeline_descriptor (ISO/IEC 13818-1 annex U): what time it is on a timeline at the PES packet that begins in
/// the same transport packet.
///
///     +--------+--------+----+---+---+----+---+---+---+----------+-------------+-----------+-----------+-----
///     | tag 04 | length | TS | N | P | TC | R | P | D | reserved | timeline_id | timescale | timestamp | ...
///     +--------+--------+----+---+---+----+---+---+---+----------+-------------+-----------+-----------+-----
///                          2   1   1    2   1   1   1      7           8            32       TS: 32, 64
///     then NTP 64, PTP 80 and a time code, which are passed over
public struct TimelineDescriptor: Sendable, Hashable {
    /// A time, and the ticks of a second in which it counts.
    public struct Timestamp: Sendable, Hashable {
        /// At least 1.
        public let timescale: UInt32
        public let ticks: UInt64
    }

    public static var tag: UInt8 { 0x04 }

    public let timelineID: UInt8
    /// nil if the descriptor has none.
    public let timestamp: Timestamp?
    /// Whether the timeline stands while the stream goes on.
    public let isPaused: Bool
    public let isDiscontinuity: Bool

    /// - Parameter reader: covers exactly the content of the descriptor. What a later edition adds at its end is left.
    public init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        let flags: UInt16 = try reader.read()
        timelineID = try reader.read()
        isPaused = flags & 0x100 != 0
        isDiscontinuity = flags & 0x80 != 0
        let length = flags >> 14
        guard length < 3 else { throw WireError(.invalid("has_timestamp", UInt64(length)), at: start) }
        if length > 0 {
            let scale: UInt32 = try reader.read()
            guard scale > 0 else { throw WireError(.invalid("timescale", 0), at: start + 3) }
            timestamp = Timestamp(timescale: scale, ticks: try reader.read(octets: length == 1 ? 4 : 8))
        } else {
            timestamp = nil
        }
        if flags & 0x2000 != 0 { try reader.skip(8) }
        if flags & 0x1000 != 0 { try reader.skip(10) }
        switch flags >> 10 & 3 {
        case 0: break
        case 1: try reader.skip(2 + 2 + 3)
        case 2: try reader.skip(2 + 2 + 8)
        default: throw WireError(.invalid("has_timecode", 3), at: start)
        }
    }
}
