// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Forwarding

@Suite struct SegmentContentTests {
    private static let boot = SpoolRecordTests.boot
    private static let records = (3...7).map {
        SpoolRecord(UInt64($0), .state, nil, [UInt8](repeating: 0x30, count: $0))
    }

    private static func octets(_ records: some Sequence<SpoolRecord>) -> [UInt8] {
        records.flatMap { $0.octets(of: boot) }
    }

    private static func content(_ octets: [UInt8], from first: UInt64 = 3) -> SegmentContent {
        SegmentContent(octets, of: boot, from: first)
    }

    @Test func aWholeSegment() {
        let content = Self.content(Self.octets(Self.records))
        #expect(content.records == Self.records)
        #expect(content.sequences == RangeSet(3..<8))
        #expect(content.damagedPlaces == 0 && content.missing.isEmpty && !content.isTorn)
        #expect(Self.content([]).records.isEmpty)
    }

    /// Every cut: the records before it are there, and no more.
    @Test func everyCut() {
        let octets = Self.octets(Self.records)
        var ends = [0]
        for record in Self.records { ends.append((ends.last ?? 0) + record.octetCount) }
        for count in 0...octets.count {
            let content = Self.content(Array(octets[..<count]))
            let whole = ends.lastIndex { $0 <= count } ?? 0
            #expect(content.records == Array(Self.records[..<whole]), "\(count) octets")
            #expect(content.isTorn != ends.contains(count) && content.damagedPlaces == 0, "\(count) octets")
        }
    }

    /// The records around a damaged one are there, and it is known which is missing.
    @Test func eachDamagedRecordButTheLastIsMissing() {
        for index in Self.records.indices {
            var parts = Self.records.map { $0.octets(of: Self.boot) }
            parts[index][20] ^= 1
            let content = Self.content(parts.flatMap { $0 })
            let rest = Self.records.filter { $0 != Self.records[index] }
            #expect(content.records == rest && content.damagedPlaces == 1 && !content.isTorn)
            let isLast = index == Self.records.indices.last
            #expect(content.missing == (isLast ? RangeSet() : RangeSet(sequences: [Self.records[index].sequence])))
        }
    }

    /// A file system may have later blocks of a file and zeros in place of earlier ones.
    @Test func aHoleIsMissing() {
        var octets = Self.octets(Self.records)
        let start = Self.records[0].octetCount + 5
        for place in start..<start + Self.records[1].octetCount { octets[place] = 0 }
        let content = Self.content(octets)
        #expect(content.sequences == RangeSet([3..<4, 6..<8]) && content.missing == RangeSet(4..<6))
        #expect(content.damagedPlaces == 1)
    }

    @Test func recordsOutOfOrderAreDamage() {
        let content = Self.content(Self.octets([Self.records[1], Self.records[0], Self.records[1], Self.records[2]]))
        #expect(content.records == [Self.records[1], Self.records[2]] && content.damagedPlaces == 2)
        #expect(content.missing.isEmpty)
        // Nor does a segment have what came before its first record.
        #expect(Self.content(Self.octets(Self.records), from: 5).sequences == RangeSet(5..<8))
    }

    /// A sequence that was never written, such as one that was acknowledged from memory, is not missing.
    @Test func aGapWithoutDamageIsNothing() {
        let content = Self.content(Self.octets([Self.records[0], Self.records[2]]))
        #expect(content.missing.isEmpty && content.damagedPlaces == 0)
    }

    @Test func mutationsNeverTrap() {
        let octets = Self.octets(Self.records)
        var mutation = Mutation(seed: 118)
        for _ in 0..<Mutation.count() {
            let damaged = mutation.damage(octets)
            let content = Self.content(damaged)
            #expect(content.records.allSatisfy { Self.records.contains($0) })
            #expect(content.records.count < Self.records.count || content.records == Self.records)
            #expect(content.missing.isDisjoint(content.sequences))
        }
    }
}
