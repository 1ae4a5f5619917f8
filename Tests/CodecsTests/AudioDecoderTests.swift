// SPDX-License-Identifier: Apache-2.0
import Media
import TestSupport
import Testing

@testable import Codecs

@Suite struct AudioDecoderTests {
    static let streams: [(Codec, String)] = [
        (.aac, "sine440.adts"), (.mpegAudio, "sine440.mp2"), (.ac3, "sine440.ac3"),
        (.aacLATM, "sine440-2-44100.latm"), (.enhancedAC3, "sine440-2-44100.eac3"),
        (.mpegAudio, "sine440-1-48000.mp3"),
    ]

    static func unit(_ codec: Codec, channels: Int = 0, pts: Int64?) -> AudioUnit {
        AudioUnit(codec: codec, stream: 0, channels: channels, pts: pts, offset: .zero, epoch: 0)
    }

    /// Pieces of 500 octets: no piece begins or ends with a frame.
    @Test(arguments: streams.prefix(3)) func decodesASineFromPieces(codec: Codec, name: String) throws {
        let stream = try Vector.bytes(name)
        var decoder = try AudioDecoder(codec)
        var left: [Float] = []
        var times: [Int64] = []
        for start in stride(from: 0, to: stream.count, by: 500) {
            let piece = Array(stream[start..<min(start + 500, stream.count)])
            let unit = Self.unit(codec, pts: start == 0 ? 90_000 : nil)
            try piece.withUnsafeBytes { try decoder.send(unit, $0) }
            try decoder.receive { block in
                #expect(block.sampleRate == 48_000 && block.channels == 2)
                for index in 0..<block.frames { left.append(block.samples[2 * index]) }
                times.append(block.pts ?? -1)
            }
        }
        #expect(left.count > 46_000)
        let middle = left[10_000..<34_000]
        let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect((219...221).contains(crossings))  // 440 Hz for half a second
        let peak = middle.max() ?? 0
        #expect((0.08...0.2).contains(peak))  // lavfi's sine has an amplitude of 1/8
        #expect(times.first == 90_000)
    }

    @Test func blocksBehindTheFirstOfAUnitGetTheirOwnTime() throws {
        let stream = try Vector.bytes("sine440.adts")
        var decoder = try AudioDecoder(.aac)
        var times: [Int64?] = []
        let unit = Self.unit(.aac, pts: 1_000)
        try stream.withUnsafeBytes { try decoder.send(unit, $0) }
        try decoder.receive { times.append($0.pts) }
        #expect(times.count > 40)
        for (index, time) in times.enumerated() { #expect(time == 1_000 + Int64(index) * 1_920) }
    }

    @Test(arguments: streams) func damagedStreamsNeverEndTheProcess(codec: Codec, name: String) throws {
        let stream = try Vector.bytes(name)
        var decoder = try AudioDecoder(codec)
        var frames = 0
        for seed in 0..<UInt64(Mutation.count(usual: 200)) {
            var mutation = Mutation(seed: seed)
            let damaged = mutation.damage(Array(stream.prefix(2_000)))
            let unit = Self.unit(codec, pts: Int64(seed))
            do {
                try damaged.withUnsafeBytes { try decoder.send(unit, $0) }
                try decoder.receive { frames += $0.frames }
            } catch {
                // Expected: what counts is that the next unit can be sent.
            }
        }
        #expect(frames > 0)
    }
}
