// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

struct BitReaderTests {
    private let octets: [UInt8] = [0b1010_0011, 0xFF, 0x00, 0x12, 0x34, 0x56, 0x78]

    @Test func readsFieldsOfAnyWidth() throws {
        try octets.withUnsafeBytes { bytes in
            var reader = BitReader(bytes)
            let first = [try reader.read(1), try reader.read(0), try reader.read(3), try reader.read(10)]
            #expect(first == [1, 0, 0b010, 0b0011_1111_11] && reader.offset == 1 && reader.remaining == 42)
            let second = [try reader.read(10), try reader.read(32)]
            #expect(second == [0b11_0000_0000, 0x1234_5678] && reader.isAtEnd)
        }
    }

    /// Offsets count from the start of the bytes, in octets.
    @Test func endsWhereItWasTold() {
        octets.withUnsafeBytes { bytes in
            var reader = BitReader(bytes, in: 1..<3, count: 12)
            let ends = thrown(WireError.self) {
                _ = try reader.read(9)
                _ = try reader.read(4)
            }
            #expect(ends == WireError(.truncated(needed: 4, available: 3), at: 2))
            // What could not be read is still there.
            let rest = try? reader.read(3)
            #expect(rest == 0 && reader.isAtEnd)
            #expect(BitReader(bytes, in: 5..<100).remaining == 16 && BitReader(bytes, in: 0..<2, count: -1).isAtEnd)
        }
        #expect(BitReader(UnsafeRawBufferPointer(start: nil, count: 0)).isAtEnd)
    }
}
