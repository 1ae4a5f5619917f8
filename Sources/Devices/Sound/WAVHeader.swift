// SPDX-License-Identifier: Apache-2.0

/// The 44 octets before 16-bit PCM samples (RIFF WAVE, little-endian).
///
///     "RIFF" size:32 "WAVE"  "fmt " 16:32 1:16 channels:16 rate:32 octetsPerSecond:32 octetsPerFrame:16 16:16
///     "data" size:32
struct WAVHeader: Equatable {
    static let size = 44
    /// The RIFF size has 32 bits and includes 36 octets of the header.
    static let largestData = Int(UInt32.max) - 36 - 7 & ~15

    var sampleRate: Int
    var channels: Int
    var dataOctets: Int

    var bytes: [UInt8] {
        var bytes = [UInt8]("RIFF".utf8)
        func append(_ value: Int, _ octets: Int) {
            for index in 0..<octets { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        }
        append(dataOctets + Self.size - 8, 4)
        bytes += Array("WAVEfmt ".utf8)
        append(16, 4)
        append(1, 2)
        append(channels, 2)
        append(sampleRate, 4)
        append(sampleRate * channels * 2, 4)
        append(channels * 2, 2)
        append(16, 2)
        bytes += Array("data".utf8)
        append(dataOctets, 4)
        return bytes
    }
}
