// SPDX-License-Identifier: Apache-2.0
import Bytes

extension PictureDepacketizer {
    private static let pictureCode: UInt8 = 0x00
    private static let sliceCodes: ClosedRange<UInt8> = 0x01...0xAF
    private static let sequenceCode: UInt8 = 0xB3
    private static let groupCode: UInt8 = 0xB8

    /// Takes octets of MPEG video (RFC 2250 3). What the header says of them is not used, since GStreamer sends zeros.
    mutating func readVideo(from reader: inout WireReader) throws(WireError) {
        try Self.skipVideoHeader(&reader)
        let bytes = reader.bytes
        var range = reader.takeRest()
        if skipsSlice {
            let content = UnsafeRawBufferPointer(rebasing: bytes[range])
            range = (range.lowerBound + StartCode.offset(in: content, from: 0))..<range.upperBound
            guard !range.isEmpty else { return }
            skipsSlice = false
        }
        picture.append(range, of: bytes)
        if !picture.hasSlice { picture.hasSlice = Self.hasSlice(UnsafeRawBufferPointer(rebasing: bytes[range])) }
    }

    /// Whether a packet contains the beginning of a picture: headers before it, or its own.
    static func beginsPicture(from reader: inout WireReader) throws(WireError) -> Bool {
        try skipVideoHeader(&reader)
        guard try reader.read(octets: 3) == 1 else { return false }
        let code: UInt8 = try reader.read()
        return code == pictureCode || code == sequenceCode || code == groupCode
    }

    /// Whether octets begin within a slice or have the start code of one.
    private static func hasSlice(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var code = StartCode.offset(in: bytes, from: 0)
        if code > 0, bytes[..<code].contains(where: { $0 != 0 }) { return true }
        while code + 3 < bytes.count {
            if sliceCodes.contains(bytes[code + 3]) { return true }
            code = StartCode.offset(in: bytes, from: code + 3)
        }
        return false
    }

    /// Skips the header of RFC 2250 3.4 and, if it says so, its extension for MPEG-2, which may have extensions itself.
    ///
    ///     +-----+-+--------------------+--+-+-+-+-+---+---+-----+---+-----+
    ///     |MBZ 5|T| temporal reference |AN|N|S|B|E| P |FBV| BFC |FFV| FFC |
    ///     +-----+-+--------------------+--+-+-+-+-+---+---+-----+---+-----+
    ///     |X|E|        parameters of the picture coding extension       |D| if T
    ///     +-+-+-----------------------------------------------------------+
    private static func skipVideoHeader(_ reader: inout WireReader) throws(WireError) {
        let header: UInt32 = try reader.read()
        guard header & 0x400_0000 != 0 else { return }
        let more: UInt32 = try reader.read()
        if more & 1 != 0 { try reader.skip(4) }  // composite display extension
        guard more & 0x4000_0000 != 0 else { return }
        let words = try reader.peek()  // of the extensions, itself included
        try reader.skip(Int(words) * 4)
    }
}
