// SPDX-License-Identifier: Apache-2.0
import Time

/// What mixed sound is played by: interleaved stereo float, a period at a time.
/// - Thread: the audio thread makes it, writes it and lets it go, which closes it. No call but `init` and `write` waits.
public protocol SoundOutput: AnyObject {
    /// For people: what `aplay -L` calls it, a path.
    var name: String { get }

    /// Hz of what it takes; 48 000 wherever the device can.
    var sampleRate: Int { get }

    /// Frames that one `write` should bring, about 10 ms of them. Another one at times.
    var period: Int { get }

    /// When the frame that is written next will be heard.
    func nextAudible() throws(SoundError) -> Monotonic

    /// Plays whole frames behind those written before. Waits for room: the pace is the device's.
    func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundError)

    /// How often it ran dry since it was opened. What comes next is heard later than it would have been.
    var underruns: Int64 { get }
}
