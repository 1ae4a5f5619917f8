// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@Suite struct WireReaderTests {
    /// One kind of read: the octets it needs, and itself, giving the value as unsigned.
    struct Field: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let octets: Int
        let read: @Sendable (inout WireReader) throws(WireError) -> UInt64
    }

    static let fields: [Field] =
        [
            Field(testDescription: "UInt8", octets: 1) { reader throws(WireError) in
                UInt64(try reader.read(UInt8.self))
            },
            Field(testDescription: "UInt16", octets: 2) { reader throws(WireError) in
                UInt64(try reader.read(UInt16.self))
            },
            Field(testDescription: "UInt32", octets: 4) { reader throws(WireError) in
                UInt64(try reader.read(UInt32.self))
            },
            Field(testDescription: "UInt64", octets: 8) { reader throws(WireError) in try reader.read() },
            Field(testDescription: "Int32", octets: 4) { reader throws(WireError) in
                UInt64(UInt32(bitPattern: try reader.read(Int32.self)))
            },
            Field(testDescription: "peek", octets: 1) { reader throws(WireError) in
                let value = try reader.peek()
                try reader.skip(1)
                return UInt64(value)
            },
        ]
        + (1...8).map { count in
            Field(testDescription: "\(count) octets", octets: count) { reader throws(WireError) in
                try reader.read(octets: count)
            }
        }

    /// 0x0102030405…, so that each octet tells its place.
    static let ramp: [UInt8] = Array(1...16)

    static func bigEndian(_ range: Range<Int>) -> UInt64 { ramp[range].reduce(0) { $0 << 8 | UInt64($1) } }

    @Test(arguments: fields, 0...3) func readsBigEndian(field: Field, start: Int) throws {
        try Self.ramp.withUnsafeBytes { bytes throws in
            var reader = WireReader(bytes)
            try reader.skip(start)
            #expect(try field.read(&reader) == Self.bigEndian(start..<start + field.octets))
            #expect(reader.offset == start + field.octets)
            #expect(reader.remaining == 16 - start - field.octets)
        }
    }

    /// Too short by any number of octets, in a buffer that goes on behind what may be read.
    @Test(arguments: fields) func throwsWhereItIsTruncated(field: Field) {
        Self.ramp.withUnsafeBytes { bytes in
            for available in 0..<field.octets {
                var reader = WireReader(bytes, in: 3..<3 + available)
                let expected = WireError(.truncated(needed: field.octets, available: available), at: 3)
                #expect(throws: expected) { _ = try field.read(&reader) }
                #expect(reader.offset == 3 && reader.remaining == available, "a failed read moves nothing")
            }
        }
    }

    @Test func takesRanges() throws {
        try Self.ramp.withUnsafeBytes { bytes throws in
            var reader = WireReader(bytes, in: 4..<10)
            #expect(try reader.take(0) == 4..<4)
            #expect(try reader.take(2) == 4..<6)
            #expect(throws: WireError(.truncated(needed: 5, available: 4), at: 6)) { try reader.take(5) }
            #expect(throws: WireError(.truncated(needed: 0, available: 4), at: 6)) { try reader.take(-1) }
            #expect(throws: WireError(.truncated(needed: .max, available: 4), at: 6)) { try reader.take(.max) }
            #expect(reader.takeRest() == 6..<10)
            #expect(reader.isAtEnd && reader.takeRest() == 10..<10)
        }
    }

    @Test func innerReaderEndsWhereItShould() throws {
        try Self.ramp.withUnsafeBytes { bytes throws in
            var reader = WireReader(bytes)
            try reader.skip(2)
            var inner = try reader.reader(of: 3)
            #expect(try inner.read(octets: 3) == 0x03_0405)
            #expect(throws: WireError(.truncated(needed: 1, available: 0), at: 5)) { try inner.peek() }
            #expect(try reader.read(UInt8.self) == 6)
        }
    }

    /// Whatever range it is given, no reader leaves the range or the bytes.
    @Test(arguments: 1...200 as ClosedRange<UInt64>) func staysInRange(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let lower = Int.random(in: -20...40, using: &random)
        let range = lower..<lower + Int.random(in: 0...40, using: &random)
        let allowed = range.clamped(to: 0..<16)
        Self.ramp.withUnsafeBytes { bytes in
            var reader = WireReader(bytes, in: range)
            #expect(reader.offset == allowed.lowerBound && reader.end == allowed.upperBound)
            while !reader.isAtEnd {
                let before = reader.offset
                let field = Self.fields.randomElement(using: &random) ?? Self.fields[0]
                guard let value = try? field.read(&reader) else {  // refusing is right when too little is left
                    #expect(allowed.upperBound - before < field.octets)
                    break
                }
                #expect(reader.offset <= allowed.upperBound)
                #expect(value == Self.bigEndian(before..<reader.offset))
            }
        }
    }

    @Test func emptyBytes() {
        var reader = WireReader(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(reader.isAtEnd && reader.takeRest().isEmpty)
        #expect(throws: WireError(.truncated(needed: 2, available: 0), at: 0)) { try reader.read(UInt16.self) }
    }
}
