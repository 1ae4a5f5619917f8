// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing
import Venue

@testable import NetlinkMessages

/// Of a kernel 6.18 (little-endian), the link's message cut behind its name.
struct NetlinkMessageTests {
    static let link = octets(
        "28000000 1000 0200 01000000 bf4e0000 | 00 00 0403 01000000 49000100 00000000 | 0700 0300 6c6f0000")
    static let address = octets(
        """
        4c000000 1400 0200 01000000 bf4e0000 | 02 08 80 fe 01000000 | 0800 0100 7f000001 | 0800 0200 7f000001 \
        | 0700 0300 6c6f0000 | 0800 0800 80000000 | 1400 0600 ffffffff ffffffff 16000000 16000000
        """)
    static let done = octets("14000000 0300 0200 01000000 bf4e0000 00000000")
    /// Of an interface that is down: IFF_UP without IFF_RUNNING.
    static let down = octets(
        "28000000 1000 0200 01000000 bf4e0000 | 00 00 0403 01000000 03100000 00000000 | 0700 0300 6c6f0000")
    static let gone = octets(
        "20000000 1100 0200 01000000 bf4e0000 | 00 00 0403 01000000 03100000 00000000")
    /// AF_BRIDGE's word: the port left the bridge; the interface is still there.
    static let portGone = octets(
        "20000000 1100 0200 01000000 bf4e0000 | 07 00 0403 01000000 03100000 00000000")
    static let six = octets(
        """
        2c000000 1400 0200 01000000 bf4e0000 | 0a 40 80 fd 04000000 \
        | 1400 0100 fe800000 00000000 00fc00ff fe000001
        """)
    static let route = octets(
        """
        2c000000 1800 0000 01000000 bf4e0000 | 02 20 00 00 fe 00 00 01 00020000 | 0800 0100 ef010101 | 0800 0400 04000000
        """)
    static let refused = octets(
        "24000000 0200 0000 01000000 bf4e0000 | 9bffffff 1c000000 1a000100 01000000 00000000")

    static func octets(_ digits: String) -> [UInt8] { [UInt8](hexadecimal: digits) }

    private static func parse(_ bytes: [UInt8]) throws -> [NetlinkMessage] {
        try bytes.withUnsafeBytes { try NetlinkMessage.parse($0) }
    }

    @Test func kernelMessages() throws {
        guard 1.littleEndian == 1 else { return }
        #expect(try Self.parse(Self.link) == [.link(index: 1, name: "lo", isUp: true)])
        #expect(try Self.parse(Self.down) == [.link(index: 1, name: "lo", isUp: false)])
        #expect(try Self.parse(Self.gone) == [.linkGone(index: 1)])
        #expect(try Self.parse(Self.portGone) == [.other])
        let loopback = try #require(NumericAddress("127.0.0.1"))
        #expect(try Self.parse(Self.address) == [.address(loopback, index: 1)])
        let linkLocal = try #require(NumericAddress("fe80::fc:ff:fe00:1"))
        #expect(try Self.parse(Self.six) == [.address(linkLocal, index: 4)])
        #expect(try Self.parse(Self.route) == [.route(interface: 4)])
        #expect(try Self.parse(Self.refused) == [.failed(errno: 101)])
        #expect(
            try Self.parse(Self.link + Self.address + Self.done) == [
                .link(index: 1, name: "lo", isUp: true), .address(loopback, index: 1), .done,
            ])
        #expect(try Self.parse([]) == [])
    }

    /// Cut anywhere it throws, but where a message ends.
    @Test func truncation() throws {
        for message in [Self.link, Self.address, Self.six, Self.route, Self.gone] {
            let all = Self.done + message
            for count in 1..<all.count where count != Self.done.count {
                let error = thrown(WireError.self) { try Self.parse(Array(all[..<count])) }
                #expect(error != nil, "\(count) octets of \(all)")
                #expect((error?.offset ?? 0) <= count)
            }
        }
    }

    @Test func lengthsThatLie() throws {
        for (place, value) in [(0, 0), (0, 15), (0, 255), (32, 0), (32, 3), (32, 255)] as [(Int, UInt8)] {
            var bytes = Self.link
            bytes[place] = value
            #expect(thrown(WireError.self) { try Self.parse(bytes) } != nil, "\(place) \(value)")
        }
        let many = Array(repeating: Array(Self.done[..<16]), count: NetlinkHeader.mostMessages + 1).map {
            [16] + $0[1...]
        }
        #expect(thrown(WireError.self) { try Self.parse(many.flatMap { $0 }) } != nil)
    }

    @Test func mutationsNeverTrap() {
        let real = Self.link + Self.address + Self.six + Self.route + Self.gone + Self.refused + Self.done
        var (read, refused) = (0, 0)
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            let damaged = mutation.damage(real)
            do {
                let messages = try Self.parse(damaged)
                #expect(messages.count <= damaged.count / 16 + 1)
                read += 1
            } catch {
                refused += 1  // refusing is an answer
            }
        }
        #expect(Effort.isReduced || read > 0 && refused > 0)
    }
}
