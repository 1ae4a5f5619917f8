// SPDX-License-Identifier: Apache-2.0
import Media
import TestSupport
import Testing

@testable import Codecs

/// Every kind of sound, rate and number of channels; each channel holds a tone of 440 Hz.
@Suite struct SoundFormatTests {
    struct Stream: Sendable {
        var codec: Codec
        var ending: String
        var channels: Int
        var rate: Int
        var name: String { "sine440-\(channels)-\(rate).\(ending)" }
    }

    static let streams: [Stream] = {
        let kinds: [(Codec, String)] = [
            (.aac, "adts"), (.aacLATM, "latm"), (.ac3, "ac3"), (.enhancedAC3, "eac3"), (.mpegAudio, "mp2"),
            (.opus, "opus"),
        ]
        var streams: [Stream] = []
        for (codec, ending) in kinds {
            let rate = codec == .opus ? 48_000 : 44_100
            streams.append(Stream(codec: codec, ending: ending, channels: 1, rate: rate))
            streams.append(Stream(codec: codec, ending: ending, channels: 2, rate: rate))
            if codec == .mpegAudio { continue }
            streams.append(Stream(codec: codec, ending: ending, channels: 6, rate: 48_000))
        }
        return streams + [Stream(codec: .mpegAudio, ending: "mp3", channels: 1, rate: 48_000)]
    }()

    /// As the decoder's caller gets them: whole for what a parser takes apart, else packet by packet.
    static func units(_ stream: Stream) throws -> [[UInt8]] {
        let bytes = try Vector.bytes(stream.name)
        return stream.codec == .opus ? Vector.oggPackets(bytes) : [bytes]
    }

    struct Sound {
        var left: [Float] = []
        var times: [Int64?] = []
        var frames: [Int] = []
        var formats: Set<[Int]> = []

        mutating func take(_ block: AudioBlock) {
            for index in 0..<block.frames { left.append(block.samples[index * block.channels]) }
            times.append(block.pts)
            frames.append(block.frames)
            formats.insert([block.channels, block.sampleRate, block.channelMask.nonzeroBitCount])
        }
    }

    static func decode(_ stream: Stream, with decoder: inout AudioDecoder, at pts: Int64) throws -> Sound {
        var sound = Sound()
        for (index, bytes) in try units(stream).enumerated() {
            let unit = AudioDecoderTests.unit(
                stream.codec, channels: stream.codec == .opus ? stream.channels : 0, pts: index == 0 ? pts : nil)
            try bytes.withUnsafeBytes { try decoder.send(unit, $0) }
            try decoder.receive { sound.take($0) }
        }
        return sound
    }

    @Test(arguments: streams) func tonesComeOutInTheirFormat(stream: Stream) throws {
        var decoder = try AudioDecoder(stream.codec)
        let sound = try Self.decode(stream, with: &decoder, at: 5_000)
        #expect(sound.formats == [[stream.channels, stream.rate, stream.channels]])
        let middle = sound.left[stream.rate / 10..<stream.rate * 3 / 10]
        let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect((87...89).contains(crossings))  // 440 Hz for 0.2 s
        var frames = 0
        for (time, count) in zip(sound.times, sound.frames) {
            #expect(time == 5_000 + Int64(frames * 90_000 / stream.rate))
            frames += count
        }
        let length = Double(frames) / Double(stream.rate)
        #expect(0.36 < length && length < 0.46)
    }

    /// Rate and channels change in one decoder; the blocks say so.
    @Test(arguments: [Codec.aac, .ac3, .enhancedAC3, .opus]) func theFormatMayChange(codec: Codec) throws {
        let streams = Self.streams.filter { $0.codec == codec }
        var decoder = try AudioDecoder(codec)
        for stream in streams + streams.reversed() {
            var sound = try Self.decode(stream, with: &decoder, at: 0)
            sound.formats.remove([])
            #expect(sound.formats.contains([stream.channels, stream.rate, stream.channels]))
        }
    }

    @Test func sixteenChannelsAreRefused() throws {
        #expect(thrown(CodecError.self) { _ = try AudioDecoder(.opus, channels: 16).self } != nil)
        var decoder = try AudioDecoder(.opus)
        let unit = AudioDecoderTests.unit(.opus, channels: 16, pts: 0)
        let error = thrown(CodecError.self) { try [UInt8(0xfc)].withUnsafeBytes { try decoder.send(unit, $0) } }
        #expect(error == .unsupportedFormat("16 channels of Opus"))
    }

    @Test(arguments: streams) func damagedStreamsNeverEndTheProcess(stream: Stream) throws {
        let units = try Self.units(stream)
        var decoder = try AudioDecoder(stream.codec)
        var frames = 0
        for seed in 0..<UInt64(Mutation.count(usual: 100)) {
            var mutation = Mutation(seed: seed)
            let bytes = mutation.damage(Array(units[Int(seed % UInt64(units.count))].prefix(2_000)))
            let channels = stream.codec == .opus ? Int(seed % 9) : 0
            do {
                try bytes.withUnsafeBytes {
                    try decoder.send(AudioDecoderTests.unit(stream.codec, channels: channels, pts: nil), $0)
                }
                try decoder.receive { frames += $0.frames }
            } catch {
                // Expected: what counts is that the next unit can be sent.
            }
            if seed % 32 == 31 { decoder.flush() }
        }
        #expect(frames > 0)
    }
}
