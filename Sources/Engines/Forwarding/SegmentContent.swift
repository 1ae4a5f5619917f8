// SPDX-License-Identifier: Apache-2.0

/// Everything that can be read of a segment.
package struct SegmentContent: Equatable, Sendable {
    /// In the order of their sequences.
    package private(set) var records: [SpoolRecord] = []
    /// Places that hold no record, each counted once, however many records there were.
    package private(set) var damagedPlaces = 0
    /// Sequences of records that were in damaged places. Those of a damaged place at the end are not known.
    package private(set) var missing = RangeSet<UInt64>()
    /// Whether the segment ends with a record that was not written whole.
    package private(set) var isTorn = false

    /// - Parameter first: sequence of the first record that was written to it.
    package init(_ octets: [UInt8], of boot: BootID, from first: UInt64) {
        octets.withUnsafeBytes { read($0, boot, first) }
    }

    private mutating func read(_ octets: UnsafeRawBufferPointer, _ boot: BootID, _ first: UInt64) {
        var (offset, expected, wasDamaged) = (0, first, false)
        while offset < octets.count {
            switch SpoolRecord.read(octets, at: offset, of: boot) {
            case .record(let record, let end):
                offset = end
                // A record that is there twice, or before its time, was not written by us.
                guard record.sequence >= expected else {
                    wasDamaged = true
                    damagedPlaces += 1
                    continue
                }
                if wasDamaged { missing.insert(contentsOf: expected..<record.sequence) }
                wasDamaged = false
                expected = record.sequence + 1
                records.append(record)
            case .damaged(let next):
                offset = next
                if !wasDamaged { damagedPlaces += 1 }
                wasDamaged = true
            case .torn:
                isTorn = true
                return
            }
        }
    }

    package var sequences: RangeSet<UInt64> { RangeSet(sequences: records.lazy.map(\.sequence)) }
}
