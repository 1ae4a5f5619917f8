// SPDX-License-Identifier: Apache-2.0
import Media
import Synchronization
import Time

/// A session's playback clock with its arithmetic, shared by the two threads that move it: the read thread by commands,
/// the decode thread by the first picture of a channel. Each change is published before the next one begins.
final class SteeredPlaybackClock: Sendable {
    private let playbackClock: PlaybackClock
    private let control: Mutex<PlaybackClockControl>

    init(_ playbackClock: PlaybackClock, playoutDelay: Nanoseconds, isLive: Bool = true) {
        self.playbackClock = playbackClock
        control = Mutex(PlaybackClockControl(playoutDelay: playoutDelay, isLive: isLive))
    }

    /// A copy, which the other thread may make obsolete.
    var value: PlaybackClockControl { control.withLock { $0 } }

    /// - Parameter body: returns whether it has changed the clock.
    /// - Returns: the result of `body`.
    @discardableResult
    func change(_ body: (inout PlaybackClockControl) -> Bool) -> Bool {
        control.withLock { control in
            let isChanged = body(&control)
            if isChanged { playbackClock.set(control.state) }
            return isChanged
        }
    }
}
