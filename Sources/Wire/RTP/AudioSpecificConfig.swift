// SPDX-License-Identifier: Apache-2.0
import Bytes

/// How a session describes its AAC (ISO/IEC 14496-3 1.6.2.1), as far as an ADTS header can say it: low complexity, 1024
/// samples in a frame. What spectral band replication adds, decoders find in the coded data.
///
///     +-------------+-------------+-----------+--------------+-----------+-------------+-----+
///     | objectType 5| rateIndex 4 | channels 4| frameLength 1| coreCoder1| extension 1 | ... |
///     +-------------+-------------+-----------+--------------+-----------+-------------+-----+
public struct AudioSpecificConfig: Sendable, Equatable {
    /// Hz, by sampling_frequency_index.
    private static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    private static let lowComplexity: UInt16 = 2
    static let headerOctets = 7
    /// What the 13 bits of an ADTS frame's length leave.
    static let largestPayload = 1 << 13 - 1 - headerOctets

    let rateIndex: UInt8
    /// channelConfiguration, 1...7.
    let channelConfiguration: UInt8

    /// Hz.
    public var sampleRate: Int { AudioSpecificConfig.sampleRates[Int(rateIndex)] }
    public var channels: Int { channelConfiguration == 7 ? 8 : Int(channelConfiguration) }
    public var samplesPerUnit: Int { 1_024 }

    /// - Throws: `.unsupported` for another object type, a rate without index, channels described elsewhere and frames of
    ///   960 samples.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        let fields: UInt16 = try reader.read()
        let (type, rate, channels) = (fields >> 11, fields >> 7 & 0xF, fields >> 3 & 0xF)
        guard type == AudioSpecificConfig.lowComplexity else {
            throw WireError(.unsupported("audioObjectType", UInt64(type)), at: 0)
        }
        guard Int(rate) < AudioSpecificConfig.sampleRates.count else {
            throw WireError(.unsupported("samplingFrequencyIndex", UInt64(rate)), at: 0)
        }
        guard (1...7).contains(channels) else {
            throw WireError(.unsupported("channelConfiguration", UInt64(channels)), at: 1)
        }
        guard fields & 6 == 0 else { throw WireError(.unsupported("frameLengthFlag", UInt64(fields & 6)), at: 1) }
        rateIndex = UInt8(rate)
        channelConfiguration = UInt8(channels)
    }

    /// - Parameter text: `config` of an SDP format, hexadecimal digits; at most 128 are read.
    /// - Throws: `.invalid` with the place of what is no digit, else as above.
    public init(hexadecimal text: String) throws(WireError) {
        var octets: [UInt8] = []
        var high: UInt8?
        for (place, character) in text.utf8.prefix(128).enumerated() {
            let digit: UInt8
            switch character {
            case 0x30...0x39: digit = character - 0x30
            case 0x41...0x46, 0x61...0x66: digit = (character | 0x20) - 0x61 + 10
            default: throw WireError(.invalid("hexadecimal digit", UInt64(character)), at: place)
            }
            if let first = high { octets.append(first << 4 | digit) }
            high = high == nil ? digit : nil
        }
        self = try octets.withOctets { (bytes) throws(WireError) in try AudioSpecificConfig(bytes) }
    }

    /// Appends the header of an ADTS frame (1.A.2.2), without CRC and of variable rate.
    /// - Precondition: a payload of 1...`largestPayload` octets.
    func writeHeader(payload count: Int, to out: inout [UInt8]) {
        precondition((1...AudioSpecificConfig.largestPayload).contains(count))
        let length = count + AudioSpecificConfig.headerOctets
        out.append(0xFF)
        out.append(0xF1)
        out.append(UInt8(AudioSpecificConfig.lowComplexity - 1) << 6 | rateIndex << 2 | channelConfiguration >> 2)
        out.append(channelConfiguration << 6 | UInt8(length >> 11))
        out.append(UInt8(length >> 3 & 0xFF))
        out.append(UInt8(length & 7) << 5 | 0x1F)
        out.append(0xFC)
    }
}
