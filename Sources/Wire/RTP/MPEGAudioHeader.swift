// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The header of a frame of MPEG audio (ISO/IEC 11172-3 2.4.1.3, 13818-3 2.4.2.3, and the lowest rates of MPEG 2.5).
///
///     sync:11 version:2 layer:2 noCRC:1 bitRate:4 rate:2 padding:1 …
public struct MPEGAudioHeader: Sendable, Equatable {
    /// kbit/s by bit_rate_index 1...14 of layers I, II and III; then those of MPEG-2: layer I, and layers II and III.
    private static let bitRates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
    private static let sampleRates = [44_100, 48_000, 32_000]

    /// Octets of the whole frame; nil if its bit rate is free.
    public let octets: Int?

    public init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        let word: UInt32 = try reader.read()
        let (version, layer) = (word >> 19 & 3, 4 - Int(word >> 17 & 3))  // version 3 is MPEG-1, 2 MPEG-2, 0 MPEG 2.5
        let (bitIndex, rateIndex) = (Int(word >> 12 & 15), Int(word >> 10 & 3))
        guard word >> 21 == 0x7FF, version != 1, layer < 4, bitIndex < 15, rateIndex < 3 else {
            throw WireError(.invalid("header of MPEG audio", UInt64(word)), at: start)
        }
        guard bitIndex > 0 else {
            octets = nil
            return
        }
        let isFirst = version == 3
        let row = isFirst ? layer - 1 : layer == 1 ? 3 : 4
        let rate = Self.sampleRates[rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
        let bits = Self.bitRates[row][bitIndex - 1] * 1_000
        let padding = Int(word >> 9 & 1)
        octets =
            layer == 1
            ? (12 * bits / rate + padding) * 4 : (layer == 3 && !isFirst ? 72 : 144) * bits / rate + padding
    }
}
