// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The header of a PES packet (ISO/IEC 13818-1 2.4.3.6).
///
///     +----------------+-----------+-----------------+--+--+-+-+-+-+--+-------+--------+-----------+
///     | 00 00 01       | stream_id | packet_length16 |10|SC|P|A|C|O|TD| flags | length | PTS, DTS  | ...
///     +----------------+-----------+-----------------+--+--+-+-+-+-+--+-------+--------+-----------+
///     A data_alignment_indicator    TD 2 PTS, 3 PTS and DTS
///
///     a time stamp: | 001x | 32...30 | 1 | 29......15 | 1 | 14.......0 | 1 |
///
/// Only what is used is believed: the marks around the fields and the prefix of a time stamp are not looked at, since
/// some multiplexers write other bits there and every other receiver takes them. A time stamp that does not fit in the
/// header is taken as not sent.
@frozen
public struct PESHeader: Sendable, Equatable {
    public let streamID: UInt8
    /// PES_packet_length: number of octets after that field; nil if the packet ends where the next begins.
    public let packetLength: Int?
    public let isDataAligned: Bool
    public let isScrambled: Bool
    /// Presentation time stamp in ticks of 90 kHz, modulo 2^33; nil if not sent.
    public let pts: UInt64?
    /// Decoding time stamp in the same ticks; nil if not sent, which means that it equals `pts`.
    public let dts: UInt64?
    /// The part of the payload that is in the bytes given.
    public let data: Range<Int>

    /// Octets up to and including PES_packet_length.
    public static var lengthFieldEnd: Int { 6 }

    /// - Parameter range: the PES packet, or its beginning including the whole header.
    public init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) throws(WireError) {
        var reader = WireReader(bytes, in: range)
        try self.init(from: &reader)
    }

    /// Reads everything that `reader` has.
    public init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        let prefix: UInt32 = try reader.read()
        guard prefix >> 8 == 1 else {
            throw WireError(.invalid("packet_start_code_prefix", UInt64(prefix >> 8)), at: start)
        }
        streamID = UInt8(truncatingIfNeeded: prefix)
        guard streamID >= 0xBC else { throw WireError(.invalid("stream_id", UInt64(streamID)), at: start + 3) }
        let length: UInt16 = try reader.read()
        packetLength = length == 0 ? nil : Int(length)
        let end = length == 0 ? reader.end : min(reader.end, reader.offset + Int(length))
        var pts: UInt64?
        var dts: UInt64?
        var flags: UInt16 = 0
        if PESHeader.hasOptionalPart(streamID) {
            flags = try reader.read()
            let headerLength: UInt8 = try reader.read()
            var header = try reader.reader(of: Int(headerLength))
            if flags & 0x80 != 0, header.remaining >= 5 { pts = PESHeader.time(of: try header.read(octets: 5)) }
            if flags & 0xC0 == 0xC0, header.remaining >= 5 { dts = PESHeader.time(of: try header.read(octets: 5)) }
        }
        self.pts = pts
        self.dts = dts
        isScrambled = flags >> 12 & 3 != 0
        isDataAligned = flags >> 10 & 1 != 0
        // A length that ends within the header is no length.
        data = reader.offset..<(reader.offset <= end ? end : reader.end)
        _ = reader.takeRest()
    }

    /// Whether the DTS is after the PTS, by less than half the range of the time stamps.
    var isDisordered: Bool {
        guard let pts, let dts, pts != dts else { return false }
        return (pts &- dts) & 0x1_FFFF_FFFF >= 0x1_0000_0000
    }

    /// Whether packets of this stream_id have the optional header: all but program_stream_map, padding,
    /// private_stream_2, ECM, EMM, DSM-CC, H.222.1 type E and the directory.
    static func hasOptionalPart(_ streamID: UInt8) -> Bool {
        switch streamID {
        case 0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF: false
        default: true
        }
    }

    /// - Parameter field: the 40 bits of a time stamp.
    private static func time(of field: UInt64) -> UInt64 {
        field >> 3 & 0x1_C000_0000 | field >> 2 & 0x3FFF_8000 | field >> 1 & 0x7FFF
    }
}
