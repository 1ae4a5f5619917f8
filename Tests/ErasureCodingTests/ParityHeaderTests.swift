// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import ErasureCoding

@Suite struct ParityHeaderTests {
    /// Headers from the wire, and what they say.
    private static let ffmpegColumn = [UInt8](
        hexadecimal: "8060059a895d93a100000000 0de40000800000000000563000050a00")
    private static let ffmpegRow = [UInt8](
        hexadecimal: "80600f35895d93a100000000 0de40524a1000000895d93a140010500")
    private static let gstreamerColumn = [UInt8](
        hexadecimal: "80600000ccaefad200000000 1ec60524a1000000ccaefad200080500")
    private static let gstreamerRow = [UInt8](
        hexadecimal: "80600000ccaefad200000000 1ec60000800000000000000040010800")

    private func read(_ bytes: [UInt8]) throws -> ParityHeader {
        try bytes.withOctets { octets throws(WireError) in
            var reader = WireReader(octets)
            return try ParityHeader(from: &reader)
        }
    }

    /// ffmpeg's `prompeg=l=5:d=10`.
    @Test func readsTheColumnOfFFmpeg() throws {
        let header = try read(Self.ffmpegColumn)
        #expect(header.flow == .columns && header.payloadType == 96 && header.sequence == 0x059A && header.ssrc == 0)
        #expect(header.base == 0x0DE4 && header.offset == 5 && header.count == 10)
        #expect(header.lengthRecovery == 0 && header.typeRecovery == 0 && header.timestampRecovery == 0x5630)
    }

    @Test func readsTheRowOfFFmpeg() throws {
        let header = try read(Self.ffmpegRow)
        #expect(header.flow == .rows && header.timestamp == 0x895D_93A1)
        #expect(header.base == 0x0DE4 && header.offset == 1 && header.count == 5)
        #expect(header.lengthRecovery == 1_316 && header.typeRecovery == 33)
        #expect(header.timestampRecovery == 0x895D_93A1)
    }

    @Test func readsThoseOfGStreamer() throws {
        let column = try read(Self.gstreamerColumn)
        #expect(column.flow == .columns && column.offset == 8 && column.count == 5 && column.lengthRecovery == 1_316)
        let row = try read(Self.gstreamerRow)
        #expect(row.flow == .rows && row.offset == 1 && row.count == 8 && row.typeRecovery == 0)
    }

    @Test func writesWhatWasRead() throws {
        for bytes in [Self.ffmpegColumn, Self.ffmpegRow, Self.gstreamerColumn, Self.gstreamerRow] {
            var writer = WireWriter()
            try read(bytes).write(to: &writer)
            #expect(writer.bytes == bytes)
        }
    }

    @Test func keepsPaddingContributorsAndMarkerOfTheSum() throws {
        var bytes = Self.ffmpegRow
        bytes[0] = 0xB5
        bytes[1] = 0xE0
        let header = try read(bytes)
        #expect(header.flagsRecovery == 0x35 && header.typeRecovery == 0x80 | 33 && header.payloadType == 96)
        var writer = WireWriter()
        header.write(to: &writer)
        #expect(writer.bytes == bytes)
    }

    @Test func everyTruncationThrows() {
        for count in 0..<ParityHeader.size {
            let error = thrown(WireError.self) { try read(Array(Self.ffmpegRow.prefix(count))) }
            guard case .truncated = error?.reason else {
                Issue.record("\(count) octets: \(String(describing: error))")
                return
            }
        }
    }

    @Test(
        arguments: [
            (0, 0x40, 0), (16, 0x21, 16), (24, 0xC0, 24), (24, 0x48, 24), (25, 0, 25), (26, 0, 26),
        ] as [(Int, UInt8, Int)])
    func refusesWhatItCannotUse(at index: Int, octet: UInt8, offset: Int) {
        var bytes = Self.ffmpegRow
        bytes[index] = octet
        #expect(thrown(WireError.self) { try read(bytes) }?.offset == offset)
    }
}
