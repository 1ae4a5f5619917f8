// SPDX-License-Identifier: Apache-2.0

/// The header that frames AAC in a transport stream (ISO/IEC 14496-3, 1.A.2.2), AAC-LC without CRC.
///
///     sync:12 ID:1 layer:2 protectionAbsent:1 profile:2 rate:4 private:1 channels:3 original:1 home:1
///     copyrightBit:1 copyrightStart:1 frameLength:13 fullness:11 blocks:2
struct ADTSHeader {
    static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    let sampleRate: Int
    let channels: Int
    let payloadOctets: Int

    func append(to bytes: inout [UInt8]) {
        guard let rate = Self.sampleRates.firstIndex(of: sampleRate) else {
            preconditionFailure("\(sampleRate) Hz is no rate of ADTS")
        }
        let length = payloadOctets + 7
        precondition(length < 1 << 13)
        let fullness = 0x7ff  // variable rate
        bytes += [
            0xff, 0xf1, 1 << 6 | UInt8(rate) << 2 | UInt8(channels >> 2), UInt8((channels & 3) << 6 | length >> 11),
            UInt8(length >> 3 & 0xff), UInt8((length & 7) << 5 | fullness >> 6), UInt8(fullness << 2 & 0xff),
        ]
    }
}
