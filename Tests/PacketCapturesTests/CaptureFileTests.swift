// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import PacketCaptures

@Suite struct CaptureFileTests {
    @Test func theHeaderIsThatOfNanosecondsAndEthernet() {
        let header = CaptureFile.header(snap: 262)
        let expected: [UInt8] = [
            0xa1, 0xb2, 0x3c, 0x4d, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 6, 0, 0, 0, 1,
        ]
        #expect(header == expected && header.count == CaptureFile.headerOctets)
    }

    @Test func aRecordHasItsTimeAndBothLengths() {
        let header = CaptureFile.recordHeader(
            at: WallTime(nanoseconds: 1_700_000_000_123_456_789), kept: 262, of: 1_370)
        let expected: [UInt8] = [
            0x65, 0x53, 0xf1, 0x00, 0x07, 0x5b, 0xcd, 0x15, 0, 0, 1, 6, 0, 0, 5, 0x5a,
        ]
        #expect(header == expected && header.count == CaptureFile.recordHeaderOctets)
    }

    @Test func timesThatTheFormatHasNotAreCut() {
        let rows: [(Int64, [UInt8])] = [
            (Int64.min, [0, 0, 0, 0, 0, 0, 0, 0]), (-1, [0, 0, 0, 0, 0, 0, 0, 0]),
            (Int64.max, [0xff, 0xff, 0xff, 0xff, 0x32, 0xf2, 0xd7, 0xff]),
        ]
        for (nanoseconds, expected) in rows {
            let header = CaptureFile.recordHeader(at: WallTime(nanoseconds: nanoseconds), kept: 0, of: 0)
            #expect(Array(header.prefix(8)) == expected)
        }
    }
}
