// SPDX-License-Identifier: Apache-2.0
import Compression
import TestSupport
import Testing

struct InflationTests {
    /// Python's zlib.compress(b"v=0\r\n" * 3, 9)
    private static let compressed: [UInt8] = [
        0x78, 0xda, 0x2b, 0xb3, 0x35, 0xe0, 0xe5, 0x2a, 0x83, 0x13, 0x00, 0x1a, 0x97, 0x02, 0xef,
    ]
    private static let plain = [UInt8]("v=0\r\nv=0\r\nv=0\r\n".utf8)

    private func inflate(_ octets: [UInt8], limit: Int = 64) throws -> [UInt8] {
        try octets.withUnsafeBytes { try Inflation.zlib($0, limit: limit) }
    }

    @Test func inflates() throws {
        #expect(try inflate(Self.compressed) == Self.plain)
        #expect(try inflate(Self.compressed, limit: 15) == Self.plain)
        #expect(try inflate(Self.compressed + [1, 2, 3]) == Self.plain)
        #expect(try inflate([0x78, 0xda, 0x03, 0, 0, 0, 0, 1], limit: 0) == [])
    }

    @Test(arguments: [0, 1, 14]) func isBounded(limit: Int) {
        #expect(throws: InflationError.tooLong(limit: limit)) { try inflate(Self.compressed, limit: limit) }
    }

    @Test func refusesAPresetDictionary() {
        let octets: [UInt8] = [0x78, 0xf9, 0x11, 0x3d, 0x03, 0x73, 0x43, 0x46, 0, 0x1d, 0xe0, 0x04, 0x99]
        #expect(throws: InflationError.damaged) { try inflate(octets) }
    }

    @Test func everyTruncationThrows() {
        for count in 0..<Self.compressed.count {
            #expect(throws: InflationError.damaged) { try inflate(Array(Self.compressed[..<count])) }
        }
    }

    @Test func damagedStreams() {
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            // To refuse is an answer; only a trap is not.
            if let octets = try? inflate(mutation.damage(Self.compressed)) { #expect(octets.count <= 64) }
        }
    }
}
