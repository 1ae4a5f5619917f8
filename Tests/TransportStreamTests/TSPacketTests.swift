// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import TransportStream

@Suite struct TSPacketTests {
    /// The start of ffmpeg's SDT packet, captured (facts/transport.md 2), and stuffing.
    static let captured = packet([0x47, 0x40, 0x11, 0x10, 0x00, 0x42])
    /// Random access, PCR 0x1_2345_6789 and 0x123, two octets of private data, ten of stuffing in an own packet.
    static let adapted = packet([
        0x47, 0x01, 0x00, 0x35, 21, 0x52, 0x91, 0xA2, 0xB3, 0xC4, 0xFF, 0x23, 2, 0xAA, 0xBB,
    ])

    static func packet(_ head: [UInt8]) -> [UInt8] { head + Array(repeating: 0xFF, count: TSPacket.size - head.count) }

    @Test func readsWhatFFmpegSends() throws {
        let packet = try Self.captured.withUnsafeBytes { try TSPacket($0) }
        #expect(packet.pid == PID.serviceDescription && packet.startsUnit && packet.hasPayload)
        #expect(!packet.hasTransportError && !packet.isScrambled && packet.continuityCounter == 0)
        #expect(packet.adaptation == nil && packet.payload == 4..<188)
    }

    @Test func readsAnAdaptationField() throws {
        let packet = try Self.adapted.withUnsafeBytes { try TSPacket($0) }
        #expect(packet.pid == 0x100 && packet.continuityCounter == 5 && packet.payload == 26..<188)
        #expect(packet.isRandomAccess && !packet.isDiscontinuity)
        let pcr: UInt64 = 0x1_2345_6789 * 300 + 0x123
        #expect(packet.pcr == pcr)
        let field = try #require(packet.adaptation)
        #expect(field.privateData == 13..<15 && field.stuffingLength == 11)
    }

    @Test func keepsThePayloadBehindABadClock() throws {
        var bytes = Self.adapted
        bytes[10] |= 1  // extension 0x123 becomes 0x1FF behind this
        bytes[11] = 0xFF
        let packet = try bytes.withUnsafeBytes { try TSPacket($0) }
        #expect(packet.pcr == nil && packet.payload == 26..<188)
    }

    @Test func countsOffsetsFromTheStartOfTheBytes() throws {
        let datagram = Self.captured + Self.adapted
        try datagram.withUnsafeBytes { bytes in
            #expect(try TSPacket(bytes, at: 188).payload == 214..<376)
            var reader = WireReader(bytes)
            _ = try TSPacket(from: &reader)
            #expect(reader.offset == 188)
            #expect(try TSPacket(from: &reader).pid == 0x100)
        }
    }

    @Test(arguments: 0..<188) func throwsWhenCut(at length: Int) {
        let cut = Array(Self.adapted.prefix(length))
        #expect {
            try cut.withUnsafeBytes { try TSPacket($0) }
        } throws: { ($0 as? WireError)?.reason == .truncated(needed: 188, available: length) }
    }

    @Test(arguments: [-1, 1, 188, Int.max, Int.min]) func throwsForAnOffsetOutside(offset: Int) {
        #expect(throws: WireError.self) { try Self.captured.withUnsafeBytes { try TSPacket($0, at: offset) } }
    }

    @Test(arguments: [
        (0, UInt8(0x48), WireError(.invalid("sync_byte", 0x48), at: 0)),
        (3, 0x05, WireError(.invalid("adaptation_field_control", 0), at: 3)),
        (4, 183, WireError(.invalid("adaptation_field_length", 183), at: 4)),
        (4, 3, WireError(.truncated(needed: 6, available: 2), at: 6)),
        (12, 200, WireError(.truncated(needed: 200, available: 13), at: 13)),
    ]) func namesWhatIsWrong(place: Int, octet: UInt8, error: WireError) {
        var bytes = Self.adapted
        bytes[place] = octet
        #expect(throws: error) { try bytes.withUnsafeBytes { try TSPacket($0) } }
    }

    @Test func acceptsAFieldWithoutFlags() throws {
        let bytes = Self.packet([0x47, 0x01, 0x00, 0x35, 0])
        let packet = try bytes.withUnsafeBytes { try TSPacket($0) }
        #expect(packet.adaptation != nil && packet.payload == 5..<188 && packet.pcr == nil)
    }
}
