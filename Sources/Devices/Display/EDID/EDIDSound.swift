// SPDX-License-Identifier: Apache-2.0
import Bytes

/// A sound format that a display accepts: a short audio descriptor of CTA-861.
public struct EDIDSound: Hashable, Sendable {
    public enum Coding: Hashable, Sendable {
        /// - bits: bits of a sample: 16, 20, 24.
        case pcm(bits: [Int])
        case ac3, dts, eac3, trueHD
        /// The number that CTA-861 gives to another format.
        case other(UInt8)
    }

    public let coding: Coding
    /// The most channels.
    public let channels: Int
    /// Sample rates in Hz, ascending.
    public let rates: [Int]

    private static let allRates = [32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000]

    init(_ reader: inout WireReader) throws(WireError) {
        let (first, second, third): (UInt8, UInt8, UInt8) = (try reader.read(), try reader.read(), try reader.read())
        channels = Int(first & 0x7) + 1
        rates = Self.allRates.indices.filter { second >> UInt8($0) & 1 != 0 }.map { Self.allRates[$0] }
        coding =
            switch first >> 3 & 0xf {
            case 1: .pcm(bits: (0..<3).filter { third >> UInt8($0) & 1 != 0 }.map { 16 + $0 * 4 })
            case 2: .ac3
            case 7: .dts
            case 10: .eac3
            case 12: .trueHD
            case let number: .other(number)
            }
    }
}
