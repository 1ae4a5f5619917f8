// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import RTP

@Suite struct RTPHeaderTests {
    /// ffmpeg's rtp_mpegts, captured: facts/transport.md 2.
    static let captured: [UInt8] = [
        0x80, 0x21, 0x0d, 0xe4, 0x89, 0x5d, 0x93, 0xa1, 0xb1, 0x85, 0x0b, 0x2a, 0x47, 0x40, 0x11, 0x10,
    ]
    /// Marker, two CSRC, an extension of one word, payload 1 2 3, padding of 3.
    static let full: [UInt8] = [
        0xB2, 0xE0, 0xFF, 0xFF, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0xBE, 0xDE, 0, 1, 9, 8, 7, 6, 1, 2, 3,
        0, 0, 3,
    ]

    @Test func readsWhatFFmpegSends() throws {
        let header = try Self.captured.withUnsafeBytes { try RTPHeader($0) }
        #expect(header.payloadType == 33 && !header.hasMarker && header.contributorCount == 0)
        #expect(header.sequence == 0x0de4 && header.timestamp == 0x895d_93a1 && header.ssrc == 0xb185_0b2a)
        #expect(header.payload == 12..<16 && header.extensionData.isEmpty)
    }

    @Test func writesWhatFFmpegSends() {
        var out = WireWriter()
        RTPHeader.write(payloadType: 33, sequence: 0x0de4, timestamp: 0x895d_93a1, ssrc: 0xb185_0b2a, to: &out)
        #expect(out.bytes == Array(Self.captured.prefix(12)))
    }

    @Test func skipsContributorsExtensionAndPadding() throws {
        let header = try Self.full.withUnsafeBytes { try RTPHeader($0) }
        #expect(header.hasMarker && header.payloadType == 0x60 && header.contributorCount == 2)
        #expect(header.extensionData == 24..<28 && header.payload == 28..<31)
    }

    @Test(arguments: 0..<28) func throwsWhenCut(at length: Int) {
        let cut = Array(Self.full.prefix(length))
        #expect(throws: WireError.self) { try cut.withUnsafeBytes { try RTPHeader($0) } }
    }

    @Test(arguments: [UInt8(0), 7, 255]) func refusesPaddingThatIsNone(octets: UInt8) {
        let bytes = Self.full.dropLast() + [octets]
        let error = thrown(WireError.self) { try Array(bytes).withUnsafeBytes { try RTPHeader($0) } }
        #expect(error == WireError(.invalid("padding", UInt64(octets)), at: 34))
    }

    @Test func refusesAnotherVersion() {
        let bytes = [0x40] + Self.captured.dropFirst()
        let error = thrown(WireError.self) { try bytes.withUnsafeBytes { try RTPHeader($0) } }
        #expect(error == WireError(.unsupported("RTP version", 1), at: 0))
    }

    @Test func staysWithinDamagedBytes() {
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            let bytes = mutation.damage(Self.full)
            bytes.withUnsafeBytes { bytes in
                guard let header = try? RTPHeader(bytes) else { return }  // refusing is right, trapping is not
                #expect(header.payload.clamped(to: 0..<bytes.count) == header.payload, "seed \(seed)")
            }
        }
    }
}
