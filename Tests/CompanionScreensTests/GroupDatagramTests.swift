// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import CompanionScreens

@Suite struct GroupDatagramTests {
    private static let sample = GroupDatagram(
        instance: 0x0102_0304_0506_0708, counter: 258, heard: [7, .max], text: Array("{}".utf8))
    private static let tag = [UInt8](repeating: 0xee, count: GroupDatagram.tagOctets)

    private static func parse(_ octets: [UInt8]) throws(WireError) -> GroupDatagram {
        let result = octets.withUnsafeBytes { bytes in
            Result { () throws(WireError) -> GroupDatagram in try GroupDatagram(bytes) }
        }
        return try result.get()
    }

    @Test func octetsAreThoseOfTheDrawing() throws {
        let head: [UInt8] = [0x54, 0x4c, 0x53, 0x47, 1, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 1, 2]
        let heard: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 7] + [UInt8](repeating: 0xff, count: 8)
        #expect(Self.sample.signedOctets == head + heard + [0x7b, 0x7d])
        let whole = Self.sample.signedOctets + Self.tag
        #expect(try Self.parse(whole) == Self.sample)
        whole.withUnsafeBytes { bytes in
            #expect(Array(GroupDatagram.signed(bytes)) == Self.sample.signedOctets)
            #expect(GroupDatagram.tag(of: bytes) == Self.tag)
        }
    }

    @Test func everyTruncationIsRefusedOrHasLessText() throws {
        let whole = Self.sample.signedOctets + Self.tag
        let leastCount = whole.count - Self.sample.text.count
        for count in 0..<leastCount {
            let error = thrown(WireError.self) { _ = try Self.parse(Array(whole.prefix(count))) }
            #expect(error != nil, "\(count) octets")
        }
        for count in leastCount..<whole.count {
            #expect(try Self.parse(Array(whole.prefix(count))).text.count == count - leastCount)
        }
    }

    @Test func otherProtocolsVersionsAndSizesAreRefused() {
        func refused(_ index: Int, _ octet: UInt8) -> WireError? {
            var octets = Self.sample.signedOctets + Self.tag
            octets[index] = octet
            return thrown(WireError.self) { _ = try Self.parse(octets) }
        }
        #expect(refused(0, 0) == WireError(.invalid("protocol", 0x004c_5347), at: 0))
        #expect(refused(4, 2) == WireError(.unsupported("group datagram version", 2), at: 4))
        #expect(refused(6, 2) == WireError(.limit("instances", 514), at: 6))
        #expect(refused(5, 9) == nil, "the reserved octet is not looked at")
        let long = GroupDatagram(
            instance: 1, counter: 1, heard: [],
            text: [UInt8](repeating: 0x20, count: GroupAnnouncement.mostOctets + 1))
        let error = thrown(WireError.self) { _ = try Self.parse(long.signedOctets + Self.tag) }
        #expect(error == WireError(.limit("announcement octets", 16_385), at: 24))
    }

    @Test(arguments: Effort.seeds(500)) func damageIsRefusedOrReadWhole(seed: UInt64) throws {
        var mutation = Mutation(seed: seed)
        let octets = mutation.damage(Self.sample.signedOctets + Self.tag)
        // Refusing is an answer.
        guard let datagram = try? Self.parse(octets) else { return }
        #expect(try Self.parse(datagram.signedOctets + Self.tag) == datagram)
    }
}
