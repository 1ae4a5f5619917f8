// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Time

@testable import Mixing

/// A mix read in periods of 10 ms, as fast as the machine can.
final class MixRun {
    let mix = SoundMix()
    var listener = ToneListener()
    /// When the next period is heard.
    private(set) var now = Monotonic(nanoseconds: 7_200_000_000_000)
    let delay = Nanoseconds.seconds(1)
    private var samples = [Float](repeating: 0, count: 960)

    /// A live session whose sound is due from now on.
    func attach(_ session: Int, _ tone: CodedTone, volume: Int = 100) -> AudioQueue {
        let queue = AudioQueue(
            session: session, playbackClock: PlaybackClock(PlaybackClock.State(delay: delay)))
        tone.putAll(into: queue, offset: now - delay)
        mix.perform(.attach(queue, volume: volume, isMuted: false, PublishedValue(InputCounters())))
        return queue
    }

    func run(periods: Int) {
        for _ in 0..<periods {
            samples.withUnsafeMutableBufferPointer { mix.fill($0, at: now) }
            listener.hear(samples)
            now += .milliseconds(10)
        }
    }
}
