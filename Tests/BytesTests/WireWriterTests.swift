// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@Suite struct WireWriterTests {
    @Test func writesBigEndian() {
        var writer = WireWriter(reserving: 32)
        writer.write(0x01 as UInt8)
        writer.write(0x0203 as UInt16)
        writer.write(-2 as Int32)
        writer.write(0xffff_ff04_0506, octets: 3)
        writer.write(contentsOf: [7, 8])
        writer.write(repeating: 0xff, count: 2)
        writer.write(repeating: 0xee, count: -1)
        #expect(writer.bytes == [1, 2, 3, 0xff, 0xff, 0xff, 0xfe, 4, 5, 6, 7, 8, 0xff, 0xff])
        #expect(writer.count == 14)
    }

    @Test func overwritesInPlace() {
        var writer = WireWriter()
        writer.write(repeating: 0, count: 8)
        writer.overwrite(0x0102 as UInt16, at: 0)
        writer.overwrite(0x0304_0506 as UInt32, at: 4)
        #expect(writer.bytes == [1, 2, 0, 0, 3, 4, 5, 6])
        writer.removeAll()
        #expect(writer.bytes.isEmpty)
    }

    /// What is written in a random order of fields is read back.
    @Test(arguments: 1...200 as ClosedRange<UInt64>) func roundTrip(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let fields = (0..<40).map { _ in
            (width: Int.random(in: 0...11, using: &random), value: UInt64.random(in: 0...UInt64.max, using: &random))
        }
        var writer = WireWriter()
        for (width, value) in fields {
            switch width {
            case 0: writer.write(UInt8(truncatingIfNeeded: value))
            case 9: writer.write(UInt16(truncatingIfNeeded: value))
            case 10: writer.write(UInt32(truncatingIfNeeded: value))
            case 11: writer.write(value)
            default: writer.write(value, octets: width)
            }
        }
        try writer.bytes.withUnsafeBytes { bytes throws in
            var reader = WireReader(bytes)
            for (width, value) in fields {
                switch width {
                case 0: #expect(try reader.read() == UInt8(truncatingIfNeeded: value))
                case 9: #expect(try reader.read() == UInt16(truncatingIfNeeded: value))
                case 10: #expect(try reader.read() == UInt32(truncatingIfNeeded: value))
                case 11: #expect(try reader.read() == value)
                default: #expect(try reader.read(octets: width) == value & (UInt64.max >> UInt64(64 - 8 * width)))
                }
            }
            #expect(reader.isAtEnd)
        }
    }
}
