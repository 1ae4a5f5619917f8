// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Time

/// A sender of a tone whose clock is not ours.
struct Sender {
    var rate = 48_000
    var channels = 2
    var frequency = 1_000.0
    /// How much faster its clock goes than ours: parts per million.
    var speed = 0.0
    /// Media time of its first frame.
    var start = Monotonic(nanoseconds: 3_600_000_000_000)
    var amplitude: Float = 0.5
    /// Frames sent.
    private(set) var sent = 0

    /// When the frame was sent, by our clock.
    func time(of frame: Int) -> Monotonic {
        start + Nanoseconds(Int64(Double(frame) / Double(rate) / (1 + speed / 1e6) * 1e9))
    }

    var nextTime: Monotonic { time(of: sent) }

    mutating func skip(_ frames: Int) { sent += frames }

    /// The next frames, the same on every channel, at their media time.
    mutating func send(_ frames: Int = 1_024, _ body: (AudioBlock, Monotonic) throws -> Void) rethrows {
        let step = 2 * .pi * frequency / Double(rate)
        let phase = (step * Double(sent)).truncatingRemainder(dividingBy: 2 * .pi)
        let samples = [Float](unsafeUninitializedCapacity: frames * channels) { buffer, count in
            for frame in 0..<frames {
                let sample = amplitude * Float(sin(phase + step * Double(frame)))
                for channel in 0..<channels { buffer[frame * channels + channel] = sample }
            }
            count = frames * channels
        }
        let time = nextTime
        sent += frames
        try samples.withUnsafeBufferPointer {
            try body(
                AudioBlock(sampleRate: rate, channels: channels, channelMask: 0, samples: $0, pts: nil), time)
        }
    }
}
