// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import Forwarding

@Suite struct SpoolStateTests {
    private static let state: SpoolState = {
        var state = SpoolState()
        state.lost = 7
        state.settled = [
            SpoolRecordTests.boot: RangeSet([1..<2, 3..<6]), BootID(ordinal: 2, nonce: 5): RangeSet(9..<40),
        ]
        return state
    }()

    @Test func vectorBothWays() throws {
        let octets = [UInt8](
            hexadecimal: """
                f754530182cf35d4
                000000000000000700000002
                000000010123456789abcdef00000002
                00000000000000010000000000000002
                00000000000000030000000000000006
                00000002000000000000000500000001
                00000000000000090000000000000028
                """)
        #expect(Self.state.octets == octets)
        #expect(try Self.state == SpoolState(parsing: octets))
        #expect(try SpoolState() == SpoolState(parsing: SpoolState().octets))
    }

    @Test func everyTruncationThrows() {
        let octets = Self.state.octets
        for count in 0..<octets.count {
            #expect(throws: WireError.self, "\(count) octets") { try SpoolState(parsing: Array(octets[..<count])) }
        }
        #expect(throws: WireError.self) { try SpoolState(parsing: octets + [0]) }
    }

    /// With the right checksum: counts beyond the file and beyond the limits, ranges that are none.
    @Test func valuesOutOfBoundsThrow() {
        for (place, value) in [
            (8, 0x80), (16, 0xFF), (19, 3), (32, 0xFF), (35, 3), (43, 2), (43, 0), (36, 0x80), (44, 0xFF),
        ]
            as [(Int, UInt8)]
        {
            var octets = Self.state.octets
            octets[place] = value
            octets.replaceSubrange(4..<8, with: [UInt8](bigEndian: CRC32(.castagnoli, octets[8...]).value))
            #expect(throws: WireError.self, "octet \(place) is \(value)") { try SpoolState(parsing: octets) }
        }
    }

    @Test func mutationsNeverTrap() throws {
        var mutation = Mutation(seed: 117)
        for _ in 0..<Mutation.count() {
            var octets = mutation.damage(Self.state.octets)
            if octets.count > 8 {
                octets.replaceSubrange(4..<8, with: [UInt8](bigEndian: CRC32(.castagnoli, octets[8...]).value))
            }
            guard let state = try? SpoolState(parsing: octets) else { continue }  // refusing is an answer
            #expect(try state == SpoolState(parsing: state.octets))
        }
    }

    /// What is settled of very many scattered reports is forgotten in part, and the file stays small.
    @Test func theFileIsBounded() throws {
        var state = SpoolState()
        state.settled[SpoolRecordTests.boot] = RangeSet((1..<40_000 as Range<UInt64>).lazy.map { 2 * $0..<2 * $0 + 1 })
        let octets = state.octets
        #expect(octets.count <= SpoolState.mostOctets)
        let kept = try SpoolState(parsing: octets).settled[SpoolRecordTests.boot]
        #expect(kept?.total == 32_768 && kept?.isSubset(of: state.settled[SpoolRecordTests.boot] ?? RangeSet()) == true)
    }

    @Test func whatIsFoundLaterIsAdded() {
        var state = Self.state
        var other = SpoolState()
        other.lost = 5
        other.settled = [SpoolRecordTests.boot: RangeSet(2..<3)]
        state.merge(other)
        #expect(state.lost == 12 && state.settled[SpoolRecordTests.boot] == RangeSet(1..<6))
        #expect(state.settled.count == 2)
    }
}
