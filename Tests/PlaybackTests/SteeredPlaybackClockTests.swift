// SPDX-License-Identifier: Apache-2.0
import Media
import Testing
import Time

@testable import Playback

@Suite struct SteeredPlaybackClockTests {
    /// What is shown follows what was changed, and nothing else.
    @Test func changesArePublished() {
        let playbackClock = PlaybackClock(PlaybackClock.State(delay: .seconds(1)))
        let head = SteeredPlaybackClock(playbackClock, playoutDelay: .seconds(1))
        let now = Monotonic(nanoseconds: 10_000_000_000)
        let isChanged = head.change {
            $0.seek(behindLive: .seconds(20), epoch: 4, at: now)
            return true
        }
        #expect(isChanged && playbackClock.state == PlaybackClock.State(delay: .seconds(21), epoch: 4))
        let isIdle = !head.change { _ in false }
        #expect(isIdle && head.value.state == playbackClock.state)
    }

    /// The decode thread forgets lateness of before a move; stretching is none.
    @Test func movesAreCounted() {
        var control = PlaybackClockControl(playoutDelay: .seconds(1))
        let now = Monotonic(nanoseconds: 10_000_000_000)
        control.startStretching(from: .milliseconds(500), at: now)
        #expect(control.moves == 1)
        let isStretched = control.advance(to: now + .seconds(1))
        #expect(isStretched && control.moves == 1)
        control.pause(at: now)
        control.pause(at: now)
        #expect(control.moves == 2)
        control.play(at: now)
        control.anchor(now, at: now)
        control.begin(epoch: 2)
        #expect(control.moves == 5)
    }
}
