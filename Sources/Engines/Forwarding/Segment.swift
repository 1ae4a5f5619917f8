// SPDX-License-Identifier: Apache-2.0
import Time

/// A file of the spool that holds records of one boot.
struct Segment {
    let name: SegmentName
    var octets: Int
    /// Sequences of the records in it that no other segment has.
    var held = RangeSet<UInt64>()
    /// When the last record was appended; nil in segments of earlier starts.
    var appended: Monotonic?
    /// The newest time of its records; nil if none has one.
    var time: WallTime?
    /// Whether it holds records that may be on the disk nowhere else: after an error they are to be written again.
    var hasCopies = false

    init(_ name: SegmentName, octets: Int) {
        self.name = name
        self.octets = octets
    }

    /// A segment of an earlier start.
    init(_ name: SegmentName, octets: Int, _ content: SegmentContent) {
        self.init(name, octets: octets)
        held = content.sequences
        time = content.records.compactMap(\.time).max()
    }
}
