// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import DataMessages

@Suite struct MessageFragmentTests {
    private static let vector: [UInt8] =
        [
            0x54, 0x44, 1, 10, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0, 0, 0x85, 0x93, 0xF6, 0x8C,
        ] + Array("text/plain".utf8) + Array("abc".utf8)

    private static func parse(_ bytes: [UInt8]) throws -> MessageFragment {
        try bytes.withUnsafeBytes { try MessageFragment($0) }
    }

    @Test func readsWhatIsWritten() throws {
        var writer = MessageWriter(firstSequence: 7)
        let payloads = try writer.payloads(of: Array("abc".utf8), contentType: "text/plain")
        #expect(payloads == [Self.vector])
        let fragment = try Self.parse(Self.vector)
        #expect(fragment.sequence == 7 && fragment.messageOctets == 3 && fragment.offset == 0)
        #expect(fragment.contentType == 20..<30 && fragment.piece == 30..<33)
    }

    @Test func everyTruncationThrows() {
        // A shorter piece is a piece: its end is that of the packet.
        for count in 0...30 {
            #expect(thrown(WireError.self) { try Self.parse(Array(Self.vector.prefix(count))) } != nil)
        }
    }

    @Test(arguments: [
        (0, 0x53, "magic 21316 is invalid at octet 0"), (2, 2, "version 2 is not supported at octet 2"),
        (3, 128, "type length 128 is invalid at octet 3"),
        (9, 2, "message octets 131075 is above its limit at octet 8"),
        (11, 0, "message octets 0 is above its limit at octet 8"), (15, 3, "offset 3 is invalid at octet 12"),
        (15, 1, "type length 10 is invalid at octet 3"), (11, 2, "piece octets 3 is above its limit at octet 30"),
        (20, 0x0A, "content type 10 is invalid at octet 20"),
    ])
    func refuses(place: Int, value: UInt8, reason: String) {
        var bytes = Self.vector
        bytes[place] = value
        #expect(thrown(WireError.self) { try Self.parse(bytes) }?.description == reason)
    }
}
