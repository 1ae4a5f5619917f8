// SPDX-License-Identifier: Apache-2.0

/// The access units in one piece of H.264 byte stream, mostly one. Where the piece begins with an access unit delimiter,
/// as a transport stream has to, delimiters alone divide it: a second field then stays with its first. Else a new one
/// begins with the first unit behind a slice that can only stand before slices (7.4.1.2.3), or with a slice of
/// macroblock 0. Valid only while the bytes are.
public struct H264AccessUnits: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var units: NALUnits
    private let isDelimited: Bool
    private var start = 0
    /// Whether the unit that begins at `start`, which was read already, is a slice.
    private var hasSlice = false

    public init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        units = NALUnits(bytes)
        var ahead = units
        isDelimited = ahead.next()?.type == NALUnit.Kind.delimiter
    }

    /// The place of the next access unit; all places together are all of the bytes.
    public mutating func next() -> Range<Int>? {
        guard start < bytes.count else { return nil }
        let first = start
        while let unit = units.next() {
            if hasSlice, begins(unit) {
                hasSlice = unit.isSlice
                start = unit.start
                return first..<unit.start
            }
            hasSlice = hasSlice || unit.isSlice
        }
        start = bytes.count
        return first..<bytes.count
    }

    private func begins(_ unit: NALUnit) -> Bool {
        if isDelimited { return unit.type == NALUnit.Kind.delimiter }
        switch unit.type {
        case NALUnit.Kind.slice, NALUnit.Kind.partitionA, NALUnit.Kind.idrSlice:
            // first_mb_in_slice is ue(v): 0 is the single bit 1.
            return unit.range.count > 1 && bytes[unit.range.lowerBound + 1] & 0x80 != 0
        case 6...9, 14...18: return true
        default: return false
        }
    }
}
