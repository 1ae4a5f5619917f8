// SPDX-License-Identifier: Apache-2.0
import Bytes

/// A CTA-861 extension: the timings, colours and sound formats of a television.
///
/// ```
///  0    1         2                   3              4                    d                        127
/// | 2  | revision| d: where timings  | what it can  | data blocks        | detailed timings of 18 | sum |
/// ```
/// A data block is a kind (3 bits), its length (5 bits) and as many octets; kind 7 has its real kind in the first.
public struct EDIDTelevision: Equatable, Sendable {
    public struct VideoCode: Hashable, Sendable {
        /// The video identification code of CTA-861: 16 for 1080p60.
        public let code: UInt8
        public let isNative: Bool
    }

    /// The transfer functions that the display supports.
    public struct Transfers: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let sdr = Transfers(rawValue: 1)
        public static let bright = Transfers(rawValue: 2)
        public static let pq = Transfers(rawValue: 4)
        public static let hlg = Transfers(rawValue: 8)
    }

    public struct Colorimetry: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let xvYCC601 = Colorimetry(rawValue: 1)
        public static let xvYCC709 = Colorimetry(rawValue: 2)
        public static let bt2020ConstantYCC = Colorimetry(rawValue: 0x20)
        public static let bt2020YCC = Colorimetry(rawValue: 0x40)
        public static let bt2020RGB = Colorimetry(rawValue: 0x80)
    }

    public struct Speakers: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let front = Speakers(rawValue: 1)
        public static let lowFrequency = Speakers(rawValue: 2)
        public static let centre = Speakers(rawValue: 4)
        public static let back = Speakers(rawValue: 8)
    }

    public let revision: UInt8
    /// Whether it accepts two channels of PCM at 32, 44.1 and 48 kHz, whatever `sound` says.
    public let hasSound: Bool
    public let takesYCbCr444: Bool
    public let takesYCbCr422: Bool
    public private(set) var videoCodes: [VideoCode] = []
    public private(set) var sound: [EDIDSound] = []
    public private(set) var speakers: Speakers?
    /// Its physical address on HDMI, such as 0x1000 for 1.0.0.0; nil for DVI.
    public private(set) var physicalAddress: UInt16?
    /// The highest TMDS clock of the link in MHz, the greater of the values in two blocks; nil if neither states one.
    public private(set) var mostTMDS: Int?
    public private(set) var colorimetry: Colorimetry = []
    /// High dynamic range with static metadata; nil if the extension does not mention it.
    public private(set) var transfers: Transfers?

    /// - Parameter start: offset of the block; its 128 octets must be there.
    static func parse(
        _ bytes: UnsafeRawBufferPointer, at start: Int
    ) throws(WireError) -> (television: EDIDTelevision, timings: [EDIDTiming]) {
        let (revision, timingsAt, flags) = (bytes[start + 1], Int(bytes[start + 2]), bytes[start + 3])
        var television = EDIDTelevision(revision: revision, flags: flags)
        // 0 means neither data blocks nor timings.
        guard timingsAt > 0 else { return (television, []) }
        guard (4...EDID.blockOctets - 1).contains(timingsAt) else {
            throw WireError(.invalid("offset of timings", UInt64(timingsAt)), at: start + 2)
        }
        if revision >= 3 { try television.readBlocks(WireReader(bytes, in: start + 4..<start + timingsAt)) }
        var timings: [EDIDTiming] = []
        var place = start + timingsAt
        while place + EDIDTiming.octets < start + EDID.blockOctets, let timing = EDIDTiming(bytes, at: place) {
            timings.append(timing)
            place += EDIDTiming.octets
        }
        return (television, timings)
    }

    private init(revision: UInt8, flags: UInt8) {
        self.revision = revision
        hasSound = flags & 0x40 != 0
        takesYCbCr444 = flags & 0x20 != 0
        takesYCbCr422 = flags & 0x10 != 0
    }

    private mutating func readBlocks(_ blocks: WireReader) throws(WireError) {
        var blocks = blocks
        while !blocks.isAtEnd {
            let head: UInt8 = try blocks.read()
            var block = try blocks.reader(of: Int(head & 0x1f))
            switch head >> 5 {
            case 1: while block.remaining >= 3 { sound.append(try EDIDSound(&block)) }
            case 2: while !block.isAtEnd { readVideoCode(try block.read()) }
            case 3: try readVendor(&block)
            case 4: speakers = Speakers(rawValue: UInt32(try block.read(octets: 3)).byteSwapped >> 8)
            case 7: try readFurther(&block)
            default: break
            }
        }
    }

    /// Codes 1...64 may be marked as native by the top bit; above, all eight bits are the code.
    private mutating func readVideoCode(_ octet: UInt8) {
        switch octet {
        case 129...192: videoCodes.append(VideoCode(code: octet & 0x7f, isNative: true))
        case 1...127, 193...253: videoCodes.append(VideoCode(code: octet, isNative: false))
        default: break  // reserved
        }
    }

    private mutating func readVendor(_ block: inout WireReader) throws(WireError) {
        switch UInt32(try block.read(octets: 3)).byteSwapped >> 8 {
        case 0x00_0c03:  // HDMI: address, flags, MHz / 5
            physicalAddress = try block.read()
            if block.remaining >= 2 {
                try block.skip(1)
                readTMDS(try block.read())
            }
        case 0xc4_5dd8:  // HDMI Forum: version, MHz / 5
            try block.skip(1)
            readTMDS(try block.read())
        default: break
        }
    }

    private mutating func readTMDS(_ fifths: UInt8) {
        if fifths > 0 { mostTMDS = max(mostTMDS ?? 0, Int(fifths) * 5) }
    }

    private mutating func readFurther(_ block: inout WireReader) throws(WireError) {
        switch try block.read(UInt8.self) {
        case 5: colorimetry = Colorimetry(rawValue: try block.read())
        case 6: transfers = Transfers(rawValue: try block.read() & 0x3f)
        default: break
        }
    }
}
