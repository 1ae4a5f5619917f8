// SPDX-License-Identifier: Apache-2.0
import Announcements
import Bytes
import TestSupport
import Testing
import Venue

struct SAPPacketTests {
    @Test(arguments: Vector.allCases) func readsRealHeadEnds(vector: Vector) throws {
        let datagram = try vector.octets()
        let packet = try SAPPacket(datagram)
        #expect(packet.kind == (vector.rawValue.hasSuffix("deletion") ? .deletion : .announcement))
        #expect(packet.origin == vector.origin)
        #expect(packet.authentication.isEmpty)
        #expect(packet.payloadType == .sessionDescription)
        #expect(packet.payload == (vector.origin.isIPv6 ? 36 : 24)..<datagram.count)
    }

    /// All of a real datagram but its hash, which every sender makes in its own way.
    @Test(arguments: Vector.allCases) func writesWhatRealHeadEndsSend(vector: Vector) throws {
        let datagram = try vector.octets()
        let packet = try SAPPacket(datagram)
        var written = SAPPacket.encoded(
            packet.kind, origin: packet.origin, payloadType: try #require(packet.payloadType),
            payload: Array(datagram[packet.payload]))
        #expect(try SAPPacket(written).identifierHash != 0)
        written.replaceSubrange(2..<4, with: datagram[2..<4])
        #expect(written == datagram)
    }

    @Test func deletionHasTheHashOfItsAnnouncement() throws {
        let origin = try #require(NumericAddress("fd00::5"))
        let payload = Array("{}".utf8)
        let announced = try SAPPacket(SAPPacket.encoded(origin: origin, payloadType: .announcement, payload: payload))
        let deleted = try SAPPacket(
            SAPPacket.encoded(.deletion, origin: origin, payloadType: .announcement, payload: payload))
        #expect(announced.identifierHash == deleted.identifierHash)
        #expect(deleted.kind == .deletion && deleted.origin == origin && deleted.payloadType == .announcement)
    }

    @Test func authenticationIsSkipped() throws {
        let packet = try SAPPacket([0x20, 2, 0, 9, 10, 0, 0, 1] + [UInt8](repeating: 0xaa, count: 8) + "v=0\r\n".utf8)
        #expect(packet.authentication == 8..<16)
        #expect(packet.payload == 16..<21)
        #expect(packet.payloadType == .sessionDescription)
    }

    @Test(arguments: [
        ("application/sdp", SAPPayloadType.sessionDescription), ("Application/SDP; charset=utf-8", .sessionDescription),
        ("application/vnd.touchline.announcement+json", .announcement), ("text/Plain", .other("text/plain")),
    ])
    func knowsPayloadTypes(mimeType: String, type: SAPPayloadType) throws {
        #expect(try SAPPacket([0x20, 0, 0, 9, 10, 0, 0, 1] + mimeType.utf8 + [0]).payloadType == type)
    }

    @Test(
        arguments: [
            ([0x40, 0, 0, 9, 10, 0, 0, 1], WireError(.unsupported("SAP version", 2), at: 0)),
            ([0x20, 9, 0, 9, 10, 0, 0, 1, 0], WireError(.truncated(needed: 36, available: 1), at: 8)),
            (
                [0x20, 0, 0, 9, 10, 0, 0, 1, 0x61, 0x2f, 0x07, 0],
                WireError(.invalid("SAP payload type octet", 7), at: 10)
            ),
            ([0x20, 0, 0, 9, 10, 0, 0, 1, 0x61, 0], WireError(.invalid("SAP payload type length", 1), at: 8)),
            (
                [0x20, 0, 0, 9, 10, 0, 0, 1] + [UInt8](repeating: 0x61, count: 200),
                WireError(.limit("SAP payload type length", 200), at: 8)
            ),
        ] as [([UInt8], WireError)])
    func refuses(octets: [UInt8], error: WireError) { #expect(throws: error) { try SAPPacket(octets) } }

    @Test func everyTruncationOfTheHeaderThrows() throws {
        let datagram = try Vector.vlcRTP.octets()
        for count in 0..<24 { #expect(throws: WireError.self) { try SAPPacket(Array(datagram[..<count])) } }
        #expect(try SAPPacket(Array(datagram[..<24])).payload.isEmpty)
    }

    @Test func deletionMayEndBehindItsHeader() throws {
        #expect(try SAPPacket([0x24, 0, 0, 9, 10, 0, 0, 1]).payload.isEmpty)
    }

    @Test(
        arguments: [(0x21, .compressed), (0x22, .encrypted), (0x23, .encrypted), (0x25, .compressed)]
            as [(UInt8, SAPPacket.Form)])
    func namesWhatItCannotRead(flags: UInt8, form: SAPPacket.Form) throws {
        let packet = try SAPPacket([flags, 1, 0, 9, 10, 0, 0, 1, 1, 2, 3, 4, 0x78, 0xda])
        #expect(packet.form == form && packet.payloadType == nil && packet.payload == 12..<14)
        #expect(packet.identifierHash == 9 && packet.kind == (flags & 4 == 0 ? .announcement : .deletion))
    }

    @Test func readsWhatWasCompressed() throws {
        func body(_ text: String) throws -> (type: SAPPayloadType, payload: Range<Int>) {
            try Array(text.utf8).withOctets { (octets) throws(WireError) in try SAPPacket.body(inflated: octets) }
        }
        #expect(try body("application/sdp\0v=0") == (.sessionDescription, 16..<19))
        #expect(try body("v=0\r\n") == (.sessionDescription, 0..<5))
        for text in ["", "application/sdp", "\0", String(repeating: "v=0\n", count: 4_097)] {
            #expect(throws: WireError.self) { try body(text) }
        }
    }
}
