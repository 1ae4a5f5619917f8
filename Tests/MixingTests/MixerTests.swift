// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Sound
import Testing
import Time

@testable import Mixing

@Suite struct MixerTests {
    @Test func countersOfASessionAreThereWhileItIsAttached() throws {
        let mixer = try Mixer { NullSound() }
        let queue = AudioQueue(session: 7, playbackClock: PlaybackClock(PlaybackClock.State(delay: .seconds(1))))
        #expect(mixer.inputCounters(of: 7) == nil)
        mixer.attach(queue, volume: 30, isMuted: true)
        #expect(mixer.inputCounters(of: 7) != nil)
        mixer.setVolume(50, of: 7)
        mixer.setMuted(false, of: nil)
        mixer.detach(session: 7)
        #expect(mixer.inputCounters(of: 7) == nil)
        mixer.stop()
    }
}
