// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import TransportStream

struct PictureOrderTests {
    /// Sequence parameter sets of x265 by ffmpeg 7.1, and the `has_b_frames` that ffprobe reads in them.
    static let sets: [(octets: String, mostReordered: Int)] = [
        ("42010101600000030090000003000003003fa0050201696595924932bc05a02000000300200000030321", 2),  // bframes=2
        ("42010101600000030090000003000003003fa00502016965913924caf0168080000003008000000c84", 1),  // bframes=1
        // 1920×1080, bframes=0
        ("420101016000000300900000030000030078a003c08010e5964a924caf016808000003000800000300c840", 0),
        // 4:2:2 of 10 bits, bframes=4:b-pyramid=1
        ("4201010408000003009d0800000300003cb00a080b9f2b65959a4932bc05a02000000300200000030321", 2),
        // 4:4:4, bframes=3:b-pyramid=0
        ("4201010408000003009e0800000300003c9001410173e5cb222c9265780b4040000003004000000642", 1),
        // temporal-layers=1: two sub-layers, each with its own numbers
        ("42010201600000030090000003000003003c0000a00a080b9f7965652b2c9265780b4040000003004000000642", 2),
    ]

    private static func order(_ codec: StreamCodec, _ picture: [UInt8]) -> Int? {
        picture.withUnsafeBytes { PictureOrder.mostReordered(codec, of: $0) }
    }

    @Test(arguments: sets) func readsHEVC(octets: String, mostReordered: Int) {
        let set = [UInt8](hexadecimal: octets)
        let video: [UInt8] = [0, 0, 0, 1, 0x40, 1, 0x0C]
        let slice: [UInt8] = [0, 0, 1, 0x26, 1, 0xAF]
        #expect(Self.order(.hevc, video + [0, 0, 0, 1] + set + slice) == mostReordered)
        // What follows a slice is of another picture, and of another layer is not of this one.
        #expect(Self.order(.hevc, slice + [0, 0, 0, 1] + set) == nil)
        #expect(Self.order(.hevc, [0, 0, 0, 1, 0x43] + set.dropFirst()) == nil)
    }

    /// The last octets are what follows the numbers.
    @Test(arguments: sets) func everyTruncationThrows(octets: String, mostReordered: Int) {
        let set = [UInt8](hexadecimal: octets)
        for count in 0..<set.count - 18 {
            let isRead = set.withUnsafeBytes { (try? HEVCSequenceParameters($0, in: 0..<count)) != nil }
            #expect(!isRead, "\(count) octets")
        }
    }

    @Test(arguments: Effort.seeds(200)) func mutationNeverTraps(seed: UInt64) {
        var mutation = Mutation(seed: seed)
        for (octets, _) in Self.sets {
            let bytes = mutation.damage([UInt8](hexadecimal: octets))
            bytes.withUnsafeBytes { bytes in
                let read = try? HEVCSequenceParameters(bytes, in: 0..<bytes.count)
                #expect((0...15).contains(read?.mostReordered ?? 0))
            }
            #expect((0...1).contains(Self.order(.mpeg2Video, bytes) ?? 0))
        }
    }

    /// ffmpeg's sequence header and extension of MPEG-2, once with low_delay; the header alone is MPEG-1.
    @Test func readsMPEGVideo() {
        let header: [UInt8] = [0, 0, 1, 0xB3, 0x28, 0x01, 0x68, 0x13, 0xFF, 0xFF, 0xE0, 0x18]
        let picture: [UInt8] = [0, 0, 1, 0, 0, 0x0F, 0xFF, 0xF8, 0, 0, 1, 1, 0x22, 0x22]
        let codingExtension: [UInt8] = [0, 0, 1, 0xB5, 0x14, 0x8A, 0, 1, 0]
        #expect(Self.order(.mpeg2Video, header + codingExtension + [0x00] + picture) == 1)
        #expect(Self.order(.mpeg2Video, header + codingExtension + [0x80] + picture) == 0)
        #expect(Self.order(.mpeg1Video, header + picture) == 1 && Self.order(.mpeg2Video, picture) == nil)
        #expect(Self.order(.mpeg2Video, picture + header) == nil && Self.order(.adts, header) == nil)
    }
}
