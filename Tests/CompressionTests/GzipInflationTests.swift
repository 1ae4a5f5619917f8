// SPDX-License-Identifier: Apache-2.0
import Compression
import TestSupport
import Testing

@Suite struct GzipInflationTests {
    /// Python's gzip.compress(b"v=0\r\n" * 3, mtime=0)
    private static let compressed: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2b, 0xb3, 0x35, 0xe0, 0xe5, 0x2a, 0x83, 0x13,
        0x00,
        0x42, 0x09, 0x4b, 0xf0, 0x0f, 0x00, 0x00, 0x00,
    ]
    private static let plain = [UInt8]("v=0\r\nv=0\r\nv=0\r\n".utf8)

    @Test func inflates() throws {
        #expect(try Inflation.gzip(Self.compressed, limit: 64) == Self.plain)
        #expect(try Inflation.gzip(Self.compressed, limit: 15) == Self.plain)
    }

    @Test(arguments: [0, 1, 14]) func isBounded(limit: Int) {
        #expect(throws: InflationError.tooLong(limit: limit)) { try Inflation.gzip(Self.compressed, limit: limit) }
    }

    @Test func refusesWhatIsCutOrFollowedBySomething() {
        for count in 0..<Self.compressed.count {
            #expect(throws: InflationError.self) { try Inflation.gzip(Array(Self.compressed.prefix(count)), limit: 64) }
        }
        #expect(throws: InflationError.damaged) { try Inflation.gzip(Self.compressed + [0], limit: 64) }
    }

    @Test(arguments: Effort.seeds(200)) func damageNeverTraps(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var octets = Self.compressed
        for _ in 0..<3 {
            octets[Int.random(in: octets.indices, using: &random)] = UInt8.random(in: 0 ... .max, using: &random)
        }
        let result = Result { try Inflation.gzip(octets, limit: 32) }
        if case .success(let plain) = result { #expect(plain.count <= 32) }
    }
}
