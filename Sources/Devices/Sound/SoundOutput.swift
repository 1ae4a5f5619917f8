// SPDX-License-Identifier: Apache-2.0
import Time

/// A device or file that plays mixed sound: interleaved stereo float, one period at a time.
/// - Thread: the audio thread creates, writes and releases it; releasing closes it. Only `init` and `write` wait.
public protocol SoundOutput: AnyObject {
    /// Shown to people: the name that `aplay -L` lists, or a path.
    var name: String { get }

    /// Frames per second that it takes; 48 000 if the device supports that.
    var sampleRate: Int { get }

    /// Frames that one `write` should bring, about 10 ms. It can change.
    var period: Int { get }

    /// When the frame that is written next will be heard.
    func nextAudible() throws(SoundError) -> Monotonic

    /// Plays whole frames after those written before. It waits for room, so the device sets the pace.
    func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundError)

    /// Number of underruns since it was opened. After one, all later samples are heard later.
    var underruns: Int64 { get }
}
