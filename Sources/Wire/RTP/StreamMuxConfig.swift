// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The description of a LATM stream (ISO/IEC 14496-3 §1.7.3.2.2) of one program and one layer. What follows the
/// AudioSpecificConfig is not read, since GStreamer cuts it off: AAC has payloads of variable length, frameLengthType 0.
///
///     audioMuxVersion:1 [A:1 taraBufferFullness] allStreamsSameTimeFraming:1 numSubFrames:6 numProgram:4 numLayer:3
///     [ascLen] AudioSpecificConfig frameLengthType:3 latmBufferFullness:8 otherDataPresent:1 … crcCheckPresent:1
public struct StreamMuxConfig: Sendable, Equatable {
    public let audio: AudioSpecificConfig
    /// Payloads of an audioMuxElement, 1...64.
    public let subframes: Int
    /// The beginning of an audioMuxElement of one payload that describes its stream: useSameStreamMux 0 and a
    /// StreamMuxConfig. Its last octet is filled with zeros.
    let head: [UInt8]
    /// Bits of `head`.
    let headBits: Int

    /// - Throws: `.unsupported` for several programs or layers and what `AudioSpecificConfig.adts` refuses.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = BitReader(bytes)
        let version = try reader.read(1)
        if version == 1 {
            guard try reader.read(1) == 0 else { throw WireError(.unsupported("audioMuxVersionA", 1), at: 0) }
            try Self.skipValue(&reader)
        }
        let isSame = try reader.read(1) == 1
        subframes = Int(try reader.read(6)) + 1
        let (programs, layers) = (try reader.read(4), try reader.read(3))
        guard isSame, programs == 0, layers == 0 else {
            throw WireError(.unsupported("numProgram", UInt64(programs)), at: reader.offset)
        }
        if version == 1 { try Self.skipValue(&reader) }
        var start = reader
        audio = try AudioSpecificConfig(from: &reader)
        _ = try audio.adts()
        var bits: [UInt32] = [0, 0, 1] + Array(repeating: 0, count: 6 + 4 + 3)
        for _ in 0..<audio.bits { bits.append(try start.read(1)) }
        bits += [0, 0, 0] + Array(repeating: 1, count: 8) + [0, 0]
        var head = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
        for (place, bit) in bits.enumerated() where bit == 1 { head[place / 8] |= 0x80 >> UInt8(place % 8) }
        self.head = head
        headBits = bits.count
    }

    /// Skips a LatmGetValue: a number of octets less 1 in two bits, and the octets.
    private static func skipValue(_ reader: inout BitReader) throws(WireError) {
        _ = try reader.read(8 * (Int(try reader.read(2)) + 1))
    }
}
