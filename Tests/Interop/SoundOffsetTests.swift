// SPDX-License-Identifier: Apache-2.0
import Foundation
import Measuring
import TestSupport
import Testing

/// The measure of sound that is heard together, measured on made recordings.
struct SoundOffsetTests {
    private static func noise(_ count: Int, seed: UInt64) -> [Float] {
        var random = SplitMix64(seed: seed)
        var last: Float = 0
        return (0..<count).map { _ in
            last = 0.7 * last + Float.random(in: -0.2...0.2, using: &random)
            return last
        }
    }

    @Test(arguments: [-950, -33, 0, 1, 48, 1_000])
    func offsetIsFound(samples: Int) throws {
        let (sound, other) = (Self.noise(60_000, seed: 3), Self.noise(60_000, seed: 4))
        let first = WAVRecording(samples: Array(sound[2_000...]))
        // The same sound so much later, with another noise below it.
        let second = WAVRecording(
            samples: (0..<50_000).map { sound[2_000 + $0 - samples] + 0.1 * other[$0] })
        let offset = try #require(SoundOffset(first, at: 0.2, in: second, near: 0.001, within: 0.05))
        #expect(abs(offset.seconds - Double(samples) / 48_000) < 0.0001, "\(offset)")
        #expect(offset.likeness > 0.9)
    }

    @Test func anotherSoundIsNotLike() throws {
        let (first, second) = (Self.noise(60_000, seed: 3), Self.noise(60_000, seed: 4))
        let offset = SoundOffset(
            WAVRecording(samples: first), at: 0.2, in: WAVRecording(samples: second), near: 0, within: 0.05)
        #expect(offset.map { $0.likeness < 0.3 } ?? true)
        let silence = WAVRecording(samples: [Float](repeating: 0, count: 60_000))
        #expect(SoundOffset(silence, at: 0.2, in: silence, near: 0, within: 0.05) == nil)
    }
}
