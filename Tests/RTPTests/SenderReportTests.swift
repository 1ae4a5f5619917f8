// SPDX-License-Identifier: Apache-2.0
import Bytes
import RTP
import TestSupport
import Testing

struct SenderReportTests {
    /// As ffmpeg 5.1 sends it: a report, then a description of the source.
    static let sent: [UInt8] = [
        0x80, 200, 0, 6, 0x89, 0x5D, 0x93, 0xA1, 0xE8, 0x01, 2, 3, 0x40, 0, 0, 0, 0xB1, 0x85, 0x0B, 0x2A, 0, 0, 0, 9,
        0, 0, 0x10, 0, 0x81, 202, 0, 2, 0x89, 0x5D, 0x93, 0xA1, 1, 1, 0x41, 0,
    ]

    private func report(_ bytes: [UInt8]) throws -> SenderReport? {
        try bytes.withUnsafeBytes { try SenderReport($0) }
    }

    @Test func readsAReport() throws {
        let report = try #require(try report(Self.sent))
        #expect(report.ssrc == 0x895D_93A1 && report.timestamp == 0xB185_0B2A)
        #expect(report.wallTime == 0xE801_0203_4000_0000)
        #expect(try self.report(Array(Self.sent[28...]) + Self.sent) == report)
        #expect(try self.report(Array(Self.sent[28...])) == nil)
        #expect(try self.report([]) == nil)
    }

    @Test func everyTruncationThrows() {
        for count in 1..<28 {
            #expect(throws: WireError.self) { try report(Array(Self.sent[..<count])) }
        }
        var short = Self.sent
        short[3] = 3
        #expect(throws: WireError.self) { try report(short) }
        #expect(throws: WireError.self) { try report([0x40] + Self.sent[1...]) }
    }

    @Test func tellsControlFromMedia() {
        #expect(Self.sent.withUnsafeBytes { SenderReport.isControl($0) })
        for media in [[0x80, 96], [0x80, 0xE0], [0x80], [], [0x40, 200]] as [[UInt8]] {
            #expect(!media.withUnsafeBytes { SenderReport.isControl($0) })
        }
    }

    @Test(arguments: Effort.seeds(200)) func mutationNeverTraps(seed: UInt64) {
        var mutation = Mutation(seed: seed)
        _ = try? report(mutation.damage(Self.sent))  // refusing is an answer
    }
}
