// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import EchoMessages

@Suite struct EchoMessageTests {
    /// Requests and replies as Linux sends them, with their checksums.
    private static let vectors: [(octets: [UInt8], message: EchoMessage)] = [
        ([8, 0, 0xf7, 0xfd, 0, 1, 0, 1], EchoMessage(.request, isIPv6: false, identifier: 1, sequence: 1, data: [])),
        (
            [0, 0, 0x9d, 0x9a, 0x12, 0x34, 0x00, 0x02, 0x50, 0x2e],
            EchoMessage(.reply, isIPv6: false, identifier: 0x1234, sequence: 2, data: [0x50, 0x2e])
        ),
        (
            [128, 0, 0, 0, 0xff, 0xff, 0xff, 0xfe, 7],
            EchoMessage(.request, isIPv6: true, identifier: 0xffff, sequence: 0xfffe, data: [7])
        ),
        ([129, 0, 0, 0, 0, 9, 0, 20], EchoMessage(.reply, isIPv6: true, identifier: 9, sequence: 20, data: [])),
    ]

    private static func read(_ octets: [UInt8], isIPv6: Bool) throws -> EchoMessage {
        try octets.withUnsafeBytes { try EchoMessage($0, isIPv6: isIPv6) }
    }

    @Test(arguments: vectors.indices) func bothWays(index: Int) throws {
        let (octets, message) = Self.vectors[index]
        #expect(try Self.read(octets, isIPv6: message.isIPv6) == message)
        var expected = octets
        expected.replaceSubrange(2..<4, with: [0, 0])
        #expect(message.octets == expected)
    }

    @Test func whatIsNoEchoIsRefused() throws {
        let rows: [([UInt8], Bool, WireError)] = [
            ([3, 1, 0, 0, 0, 0, 0, 0], false, WireError(.unsupported("ICMP type", 3), at: 0)),
            ([8, 0, 0, 0, 0, 0, 0, 0], true, WireError(.unsupported("ICMP type", 8), at: 0)),
            ([128, 0, 0, 0, 0, 0, 0, 0], false, WireError(.unsupported("ICMP type", 128), at: 0)),
            ([0, 1, 0, 0, 0, 0, 0, 0], false, WireError(.invalid("code of an echo", 1), at: 1)),
            ([0, 0, 0, 0, 0, 0], false, WireError(.truncated(needed: 2, available: 0), at: 6)),
            (
                [0, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 1, count: 1_025), false,
                WireError(.limit("octets of data", 1_025), at: 8)
            ),
        ]
        for (octets, isIPv6, expected) in rows {
            #expect {
                try Self.read(octets, isIPv6: isIPv6)
            } throws: {
                $0 as? WireError == expected
            }
        }
    }

    @Test(arguments: vectors.indices) func everyTruncationOfTheHeaderThrows(index: Int) throws {
        let (octets, message) = Self.vectors[index]
        for count in 0..<8 {
            #expect(throws: WireError.self) { try Self.read(Array(octets[..<count]), isIPv6: message.isIPv6) }
        }
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>) func mutationsNeverTrap(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for (octets, message) in Self.vectors {
            var changed = octets
            for _ in 0..<3 {
                changed[Int.random(in: 0..<changed.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let read = try? Self.read(changed, isIPv6: message.isIPv6) else { continue }  // refused: an answer
            #expect(try Self.read(read.octets, isIPv6: message.isIPv6) == read)
        }
    }

    @Test func problemsHaveNames() {
        let rows: [(Bool, UInt8, UInt8, String)] = [
            (false, 3, 1, "host unreachable"), (false, 3, 13, "prohibited by a filter"),
            (false, 11, 0, "too many hops"),
            (false, 3, 99, "ICMP type 3, code 99"), (true, 1, 0, "no route"), (true, 3, 0, "too many hops"),
            (true, 4, 2, "ICMPv6 type 4, code 2"),
        ]
        for (isIPv6, type, code, text) in rows {
            #expect(DeliveryProblem(isIPv6: isIPv6, type: type, code: code).text == text)
        }
    }
}
