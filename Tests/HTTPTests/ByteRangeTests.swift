// SPDX-License-Identifier: Apache-2.0
import HTTP
import TestSupport
import Testing

@Suite struct ByteRangeTests {
    /// RFC 9110 §14.1.2, of ten octets.
    @Test func rangesAreReadAsTheStandardSays() {
        let rows: [(String?, ByteRange)] = [
            (nil, .whole), ("bytes=0-3", .part(0..<4)), ("bytes=4-", .part(4..<10)), ("bytes=-3", .part(7..<10)),
            ("bytes=-30", .part(0..<10)), ("Bytes=9-9", .part(9..<10)), ("bytes=8-99", .part(8..<10)),
            ("bytes=10-", .notThere), ("bytes=10-12", .notThere), ("bytes=-0", .notThere), ("bytes=3-2", .whole),
            ("bytes=0-1,4-5", .whole), ("lines=0-1", .whole), ("bytes=", .whole), ("bytes=-", .whole),
            ("bytes=a-b", .whole), ("bytes=0x1-2", .whole), ("bytes=99999999999999999999-", .whole),
        ]
        for (field, range) in rows { #expect(ByteRange(field, of: 10) == range, "\(field ?? "")") }
        #expect(ByteRange("bytes=-1", of: 0) == .notThere && ByteRange("bytes=0-", of: 0) == .notThere)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>) func anyTextGivesARangeInside(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let letters = Array("bytes=-0123456789, ")
        let text = "bytes=" + String((0..<12).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
        if case .part(let range) = ByteRange(text, of: 50) {
            #expect((0..<50).contains(range.lowerBound) && range.upperBound <= 50)
        }
    }
}
