// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import TransportStream

struct H264SequenceParametersTests {
    /// Of x264 by ffmpeg 5.1, 640×360 at 25 Hz; what it was told last.
    static let made: [(octets: String, mostReordered: Int?)] = [
        ("6764001eacd940a02ff97011000003000100000300320f162d96", 2),  // -preset medium: b-pyramid
        ("6742c01eda0280bfe5c044000003000400000300ca3c58ba80", 0),  // -preset ultrafast -tune zerolatency
        ("6764001eace40280bfe5c044000003000400000300c83c58b448", 1),  // -bf 1
        // high 4:2:2 with the rates of nal-hrd=cbr
        ("677a001ebcd180a02ff89c0440000003004000000c9810003d090007a13930c01e2c5a34", 1),
        ("6742c00dda0507ec044000000300400000", nil),  // cut short
    ]

    @Test(arguments: made) func readsEncoders(octets: String, mostReordered: Int?) {
        let set = [UInt8](hexadecimal: octets)
        let picture = [0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1] + set + [0, 0, 1, 0x65, 0x88, 0x80]
        #expect(picture.withUnsafeBytes { H264SequenceParameters.mostReordered(of: $0) } == mostReordered)
    }

    @Test func noPictureHasNone() {
        let picture: [UInt8] = [0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1, 0x41, 0x9A, 0, 0, 1, 0x67, 0x42]
        #expect(picture.withUnsafeBytes { H264SequenceParameters.mostReordered(of: $0) } == nil)
    }

    @Test func everyTruncationThrowsOrTellsLess() {
        for (octets, _) in Self.made.dropLast() {
            let set = [UInt8](hexadecimal: octets)
            for count in 0..<set.count - 3 {
                let part = Array(set[..<count])
                part.withUnsafeBytes { bytes in
                    #expect((try? H264SequenceParameters(bytes, in: 0..<count))?.mostReordered == nil)
                }
            }
        }
    }

    @Test(arguments: Effort.seeds(200)) func mutationNeverTraps(seed: UInt64) {
        var mutation = Mutation(seed: seed)
        for (octets, _) in Self.made {
            let bytes = mutation.damage([UInt8](hexadecimal: octets))
            bytes.withUnsafeBytes { bytes in
                let read = try? H264SequenceParameters(bytes, in: 0..<bytes.count)
                #expect((0...16).contains(read?.mostReordered ?? 0))
            }
        }
    }
}
