// SPDX-License-Identifier: Apache-2.0
import Bytes

/// A display's description of itself (VESA E-EDID, release A2): one block of 128 octets, and extensions as long.
///
/// ```
///  0        8        10       12       16       18       20            54                        126           127
/// | header | vendor | product| serial | date   | version| what it can | 4 descriptors of 18     | extensions  | sum |
/// ```
/// Numbers are little-endian, except the vendor. The kernel derives the modes; this type is for telling screens apart,
/// and for what a mode does not state.
public struct EDID: Equatable, Sendable {
    /// The maker's three letters in UEFI's registry.
    public let vendor: String
    public let product: UInt16
    /// 0 if there is none, or it is in `serialText`.
    public let serial: UInt32
    public let revision: UInt8
    public let isDigital: Bool
    public private(set) var name: String?
    public private(set) var serialText: String?
    /// Detailed timings; the first is the preferred one.
    public private(set) var timings: [EDIDTiming] = []
    /// The CTA-861 extension of televisions and other displays with HDMI.
    public private(set) var television: EDIDTelevision?
    /// Why an extension could not be read; the rest is valid all the same.
    public private(set) var faults: [WireError] = []

    public static let blockOctets = 128
    /// The limit of E-EDID.
    static let mostBlocks = 256

    private static let header: UInt64 = 0x00ff_ffff_ffff_ff00

    /// - Parameter bytes: all blocks; what follows is not read.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        let header: UInt64 = try reader.read()
        guard header == Self.header else { throw WireError(.invalid("EDID header", header), at: 0) }
        let letters: UInt16 = try reader.read()
        product = try reader.read(UInt16.self).byteSwapped
        serial = try reader.read(UInt32.self).byteSwapped
        try reader.skip(2)
        let version: UInt8 = try reader.read()
        guard version == 1 else { throw WireError(.unsupported("EDID version", UInt64(version)), at: 18) }
        revision = try reader.read()
        isDigital = try reader.read(UInt8.self) & 0x80 != 0
        vendor = String(decoding: [10, 5, 0].map { UInt8(letters >> $0 & 0x1f) &+ 0x40 }, as: UTF8.self)
        try reader.skip(33)
        for _ in 0..<4 {
            let descriptor = try reader.take(18)
            if let timing = EDIDTiming(bytes, at: descriptor.lowerBound) {
                timings.append(timing)
            } else {
                switch bytes[descriptor.lowerBound + 3] {
                case 0xfc: name = Self.text(bytes, descriptor)
                case 0xff: serialText = Self.text(bytes, descriptor)
                default: break
                }
            }
        }
        let extensions = Int(try reader.read(UInt8.self))
        try reader.skip(1)
        try Self.check(bytes, at: 0)
        for _ in 0..<min(extensions, Self.mostBlocks - 1) {
            let start = reader.offset
            try reader.skip(Self.blockOctets)
            do throws(WireError) {
                try Self.check(bytes, at: start)
                // 2 is CTA-861's; others are for large screens and docks. The first of two counts.
                if bytes[start] == 2, television == nil {
                    let (television, timings) = try EDIDTelevision.parse(bytes, at: start)
                    self.television = television
                    self.timings += timings
                }
            } catch {
                faults.append(error)
            }
        }
    }

    /// The timing that the display prefers.
    public var preferred: EDIDTiming? { timings.first }

    /// Maker and name, as in "TLN TOUCHLINE FHD"; without a name the product's number in hexadecimal, as in "TLN 1200".
    public var label: String {
        let number = String(product, radix: 16)
        return "\(vendor) \(name ?? String(repeating: "0", count: 4 - number.count) + number)"
    }

    /// The octets of a block add up to 0.
    private static func check(_ bytes: UnsafeRawBufferPointer, at start: Int) throws(WireError) {
        let sum = bytes[start..<start + blockOctets].reduce(UInt8(0), &+)
        guard sum == 0 else { throw WireError(.invalid("EDID checksum", UInt64(sum)), at: start + blockOctets - 1) }
    }

    /// At most thirteen octets of ASCII, up to a line feed, without trailing spaces.
    private static func text(_ bytes: UnsafeRawBufferPointer, _ descriptor: Range<Int>) -> String? {
        let octets = bytes[descriptor].dropFirst(5).prefix { $0 != 0x0a && $0 != 0 }
        let shown = octets.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
        let end = shown.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0
        return end == 0 ? nil : String(decoding: shown[..<end], as: UTF8.self)
    }
}
