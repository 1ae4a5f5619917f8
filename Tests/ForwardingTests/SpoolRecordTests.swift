// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Forwarding

@Suite struct SpoolRecordTests {
    static let boot = BootID(ordinal: 1, nonce: 0x0123_4567_89AB_CDEF)

    /// Made by another implementation of the layout.
    private static let vectors: [(record: SpoolRecord, octets: String)] = [
        (
            SpoolRecord(7, .state, WallTime(nanoseconds: 1_795_262_400_000_000_000), Array(#"{"a":1}"#.utf8)),
            "f7545201010000074a32a4b1000000000000000718ea0da41e9d80007b2261223a317d"
        ),
        (SpoolRecord(8, .event, nil, []), "f754520102000000892cc8b100000000000000080000000000000000"),
    ]

    static func read(_ octets: [UInt8], at offset: Int = 0) -> SpoolRecord.Reading {
        octets.withUnsafeBytes { SpoolRecord.read($0, at: offset, of: boot) }
    }

    @Test func vectorsBothWays() {
        for (record, text) in Self.vectors {
            let octets = [UInt8](hexadecimal: text)
            #expect(record.octets(of: Self.boot) == octets)
            #expect(record.octetCount == octets.count)
            #expect(Self.read(octets) == .record(record, end: octets.count))
        }
    }

    @Test func theLongestPayloadIsRead() {
        let record = SpoolRecord(1, .state, nil, [UInt8](repeating: 0x41, count: SpoolRecord.mostOctets))
        let octets = record.octets(of: Self.boot)
        #expect(Self.read(octets) == .record(record, end: octets.count))
        // One octet more is over the limit, whatever follows.
        var tooLong = octets
        tooLong[7] += 1
        #expect(Self.read(tooLong) == .damaged(next: octets.count))
    }

    @Test func everyTruncationIsTorn() {
        for (record, _) in Self.vectors {
            let octets = record.octets(of: Self.boot)
            for count in 1..<octets.count { #expect(Self.read(Array(octets[..<count])) == .torn, "\(count) octets") }
        }
    }

    /// A torn record that another follows was not the last write: something has damaged it.
    @Test func everyTruncationBeforeARecordIsDamage() {
        let (first, second) = (Self.vectors[0].record, Self.vectors[1].record.octets(of: Self.boot))
        let octets = first.octets(of: Self.boot)
        for count in 1..<octets.count {
            #expect(Self.read(Array(octets[..<count]) + second) == .damaged(next: count), "\(count) octets")
        }
    }

    @Test func everyFlippedBitShows() {
        for (record, _) in Self.vectors {
            let octets = record.octets(of: Self.boot)
            for bit in 0..<octets.count * 8 {
                var damaged = octets
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                let reading = Self.read(damaged)
                // A length that has grown looks like a record that is cut.
                #expect(
                    reading == .damaged(next: octets.count) || reading == .torn && (40..<64).contains(bit), "\(bit)")
            }
        }
    }

    @Test func zerosAreTornAndOtherOctetsAreDamage() {
        #expect(Self.read([UInt8](repeating: 0, count: 4_096)) == .torn)
        #expect(Self.read([UInt8](repeating: 0, count: 4_095) + [1]) == .damaged(next: 4_096))
        #expect(Self.read(Array("no record".utf8)) == .damaged(next: 9))
    }

    /// A block of a deleted segment is no record of another boot.
    @Test func aRecordOfAnotherBootIsDamage() {
        let octets = Self.vectors[0].record.octets(of: BootID(ordinal: 1, nonce: 0x0123_4567_89AB_CDEE))
        #expect(Self.read(octets) == .damaged(next: octets.count))
    }

    /// Sequences and kinds that no writer gives, with a checksum that is right.
    @Test func valuesOutOfBoundsAreDamage() {
        let good = Self.vectors[1].record.octets(of: Self.boot)
        for (place, value) in [(4, 0), (4, 3), (4, 255), (12, 0x80), (19, 0)] as [(Int, UInt8)] {
            var octets = good
            octets[place] = value
            let checksum = octets.withUnsafeBytes { SpoolRecord.checksum(of: $0, of: Self.boot) }
            octets.replaceSubrange(8..<12, with: [UInt8](bigEndian: checksum))
            #expect(Self.read(octets) == .damaged(next: octets.count), "octet \(place) is \(value)")
        }
    }

    /// Whatever is read, reading goes on behind it, ends, and gives records that are written as they were.
    @Test func mutationsNeverTrap() {
        let octets = Self.vectors.flatMap { $0.record.octets(of: Self.boot) }
        var mutation = Mutation(seed: 116)
        var kinds: Set<Int> = []
        for _ in 0..<Mutation.count() {
            let damaged = mutation.damage(octets + octets)
            var offset = 0
            while offset < damaged.count {
                let reading = Self.read(damaged, at: offset)
                switch reading {
                case .record(let record, let end):
                    #expect(record.octets(of: Self.boot) == Array(damaged[offset..<end]))
                    (offset, _) = (end, kinds.insert(0))
                case .damaged(let next):
                    #expect(next > offset && next <= damaged.count)
                    (offset, _) = (next, kinds.insert(1))
                case .torn: (offset, _) = (damaged.count, kinds.insert(2))
                }
            }
        }
        #expect(kinds == [0, 1, 2])
    }
}
