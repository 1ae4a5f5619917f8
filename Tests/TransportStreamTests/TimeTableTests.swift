// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing
import Time

@testable import TransportStream

@Suite struct TimeTableTests {
    /// By hand from EN 300 468 5.2.5 with the example of annex C.
    static let date: [UInt8] = [0x70, 0x70, 0x05, 0xC0, 0x79, 0x12, 0x45, 0x00]
    /// Likewise 5.2.6: Great Britain at UTC, an hour ahead from 1994-03-27 01:00:00; New York's part of the USA behind.
    static let offsets: [UInt8] = [
        0x73, 0x70, 0x00, 0xC0, 0x79, 0x12, 0x45, 0x00, 0xF0, 0x1C, 0x58, 0x1A,
        0x47, 0x42, 0x52, 0x02, 0x00, 0x00, 0xC1, 0x1E, 0x01, 0x00, 0x00, 0x01, 0x00,
        0x55, 0x53, 0x41, 0x07, 0x04, 0x00, 0xC1, 0x1E, 0x06, 0x00, 0x00, 0x05, 0x00,
    ]
    static let utc = WallTime(nanoseconds: 750_516_300_000_000_000)

    private func read(_ bytes: [UInt8]) throws -> TimeTable { try bytes.withUnsafeBytes { try TimeTable($0) } }

    private func checked(_ bytes: [UInt8]) -> [UInt8] { EITTests.checked(bytes, marks: 0x70) }

    @Test func readsAndWritesBothTables() throws {
        let date = try read(Self.date)
        #expect(date == TimeTable(utc: Self.utc, offsets: nil) && date.section() == Self.date)
        let table = try read(checked(Self.offsets))
        #expect(table.utc == Self.utc && table.section() == checked(Self.offsets))
        #expect(table.offsets?.map(\.country) == ["GBR", "USA"] && table.offsets?.map(\.region) == [0, 1])
        #expect(table.offsets?.map(\.offset) == [.zero, .seconds(-14_400)])
        #expect(table.offsets?.map(\.nextOffset) == [.seconds(3_600), .seconds(-18_000)])
        #expect(table.offsets?.first?.changesAt?.description == "1994-03-27T01:00:00.000Z")
    }

    @Test func writesMoreOffsetsThanADescriptorHolds() throws {
        let offset = LocalTimeOffset(
            country: "DEU", region: 0, offset: .seconds(3_600), changesAt: nil, nextOffset: .seconds(7_200))
        let table = TimeTable(utc: Self.utc, offsets: Array(repeating: offset, count: 76))
        #expect(try read(table.section()) == table)
    }

    @Test func throwsWhenCut() {
        for length in Self.date.indices {
            #expect(throws: WireError.self) { try read(Array(Self.date.prefix(length))) }
        }
        for length in Self.offsets.indices {
            let cut = Array(Self.offsets.prefix(length))
            #expect(throws: WireError.self) { try read(cut) }
            guard length < 10 else { continue }
            #expect(throws: WireError.self) { try read(checked(cut)) }
        }
    }

    /// The time does not depend on the offsets behind it.
    @Test func readsTheTimeBeforeOffsetsThatAreWrong() throws {
        for length in 10..<Self.offsets.count {
            let table = try read(checked(Array(Self.offsets.prefix(length))))
            #expect(table.utc == Self.utc && table.offsets?.count ?? 0 <= 1)
        }
        var wrong = Self.offsets
        wrong[16] = 0xAA  // local_time_offset is in BCD
        #expect(try read(checked(wrong)).offsets?.isEmpty == true)
    }

    @Test func refusesATimeThatIsUndefinedAndABrokenCheck() {
        let undefined = Self.date.prefix(3) + Array(repeating: 0xFF, count: 5)
        #expect(throws: WireError.self) { try read(Array(undefined)) }
        var broken = checked(Self.offsets)
        broken[14] ^= 1
        #expect(throws: WireError.self) { try read(broken) }
    }

    @Test func staysWithinDamagedBytes() {
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            let bytes = checked(mutation.damage(Self.offsets))
            _ = try? read(bytes)  // refusing is right, trapping is not
            _ = try? read(Array(bytes.dropLast(4)))
        }
    }
}
