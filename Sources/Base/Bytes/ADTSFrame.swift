// SPDX-License-Identifier: Apache-2.0

/// The ADTS header of AAC frames in a transport stream (ISO/IEC 14496-3, 1.A.2.2), without CRC.
///
///     sync:12 ID:1 layer:2 protectionAbsent:1 profile:2 rate:4 private:1 channels:3 original:1 home:1
///     copyrightBit:1 copyrightStart:1 frameLength:13 fullness:11 blocks:2
public struct ADTSFrame: Hashable, Sendable {
    /// Sampling rates in Hz, indexed by sampling_frequency_index.
    public static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    /// Octets of the largest payload: frame_length has 13 bits and counts the header as well.
    public static let largestPayload = (1 << 13) - 1 - headerOctets
    public static let headerOctets = 7

    private let rateIndex: Int
    private let channels: Int
    /// Audio object type minus 1: 1 is AAC-LC.
    private let profile: Int

    /// - Returns: nil when ADTS cannot express these values.
    public init?(sampleRate: Int, channels: Int, profile: Int = 1) {
        guard let index = Self.sampleRates.firstIndex(of: sampleRate), (1...8).contains(channels), channels != 7,
            (0...3).contains(profile)
        else { return nil }
        rateIndex = index
        self.channels = channels == 8 ? 7 : channels
        self.profile = profile
    }

    /// Appends the header and then the payload of 1...`largestPayload` octets.
    public func append(_ payload: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        appendHeader(ofPayload: payload.count, to: &bytes)
        bytes.append(contentsOf: payload)
    }

    /// - Parameter count: octets of the payload that follows, 1...`largestPayload`.
    public func appendHeader(ofPayload count: Int, to bytes: inout [UInt8]) {
        precondition((1...Self.largestPayload).contains(count))
        let length = count + Self.headerOctets
        let fullness = 0x7ff  // variable rate
        bytes.append(0xff)
        bytes.append(0xf1)
        bytes.append(UInt8(profile << 6 | rateIndex << 2 | channels >> 2))
        bytes.append(UInt8((channels & 3) << 6 | length >> 11))
        bytes.append(UInt8(length >> 3 & 0xff))
        bytes.append(UInt8((length & 7) << 5 | fullness >> 6))
        bytes.append(UInt8(fullness << 2 & 0xff))
    }
}
