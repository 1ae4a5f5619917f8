// SPDX-License-Identifier: Apache-2.0
import Bytes

extension TimeTable {
    /// The whole table as one section.
    /// - Precondition: the time is in 1970 or later; there are at most 76 offsets, each below 100 hours.
    public func section() -> [UInt8] {
        var out = WireWriter()
        out.write(offsets == nil ? TimeTable.dateTableID : TimeTable.offsetTableID)
        out.write(UInt16(0))
        DVBTime.write(utc, to: &out)
        if let offsets {
            let place = out.count
            out.write(UInt16(0))
            for start in stride(from: 0, to: offsets.count, by: 19) {  // 19 offsets of 13 octets fit a descriptor
                Descriptors.write(Descriptors.Tag.localTimeOffset, to: &out) { out in
                    for offset in offsets[start..<min(offsets.count, start + 19)] { offset.write(to: &out) }
                }
            }
            out.overwrite(0xF000 | UInt16(out.count - place - 2), at: place)
        }
        let length = out.count - SectionHeader.lengthFieldEnd + (offsets == nil ? 0 : 4)
        precondition(length <= 1_021)
        out.overwrite(0x7000 | UInt16(length), at: 1)
        if offsets != nil { out.write(CRC32MPEG.checksum(of: out.bytes)) }
        return out.bytes
    }
}

extension LocalTimeOffset {
    func write(to out: inout WireWriter) {
        let isNegative = offset < .zero || nextOffset < .zero
        out.write(contentsOf: (Array(country.utf8) + [0x20, 0x20, 0x20]).prefix(3))
        out.write(region << 2 | 2 | (isNegative ? 1 : 0))
        DVBTime.write(offset: offset.magnitude, to: &out)
        DVBTime.write(changesAt, to: &out)
        DVBTime.write(offset: nextOffset.magnitude, to: &out)
    }
}
