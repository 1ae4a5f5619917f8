// SPDX-License-Identifier: Apache-2.0
import Programming
import TestSupport
import Testing
import Time
import Venue

@testable import Playback

/// The phases of a session that is open, each by itself.
@Suite struct PlayingSessionTests {
    private func session(isPaused: Bool = false) -> PlayingSession {
        let channel = Trace.channel("One")
        return PlayingSession(
            id: 1, video: Video(channel), source: .live(channel), isFallback: false,
            opened: Monotonic(nanoseconds: 0), choice: StreamChoice(), isPaused: isPaused)
    }

    private func seek(_ epoch: Int) -> PlayingSession.PendingSeek {
        PlayingSession.PendingSeek(
            ticket: epoch, epoch: epoch, target: .zero, deadline: Monotonic(nanoseconds: 0))
    }

    @Test func progress() {
        var session = session()
        #expect(!session.isReady && !session.hasPicture && !session.hasStarted)
        session.becomeReady()
        #expect(session.progress == .ready)
        session.pictureShown()
        #expect(session.progress == .shown && session.isReady && session.hasPicture && !session.hasStarted)
        session.becomeReady()
        session.start()
        #expect(session.progress == .started(hasPicture: true) && session.isPlaying)
        var heard = self.session()
        heard.start()
        #expect(heard.isReady && heard.hasStarted && !heard.hasPicture)
        heard.pictureShown()
        #expect(heard.progress == .started(hasPicture: true))
    }

    /// The reasons to hold a session are independent of each other; what was paused does not follow live.
    @Test func holds() {
        var session = session()
        session.setSuspended(true)
        #expect(session.isHeld && !session.isPaused && session.followsLive)
        session.setPaused(true)
        session.setSuspended(false)
        #expect(session.isHeld && session.isPaused && !session.followsLive)
        session.setPaused(false)
        #expect(!session.isHeld && !session.followsLive)
        #expect(self.session(isPaused: true).followsLive, "one that has not begun to play lags behind nothing")
    }

    @Test func seeks() {
        var session = session()
        session.seekFound(PlaybackPosition())
        #expect(session.place == .atLive)
        session.end()
        session.seekBegan(seek(1))
        #expect(session.seek?.ticket == 1 && session.epoch == 1 && !session.hasEnded && !session.followsLive)
        session.seekFound(PlaybackPosition())
        #expect(session.seek?.found == PlaybackPosition())
        session.setPaused(true)
        #expect(session.seek != nil, "a pause interrupts no seek")
        session.setBuffering(true)
        session.seekBegan(seek(2))
        #expect(session.isBuffering && session.seek?.found == nil)
        session.seekEnded(isAtLive: true)
        #expect(session.followsLive && session.seek == nil && session.epoch == 2)
    }

    /// Whatever happens, in whichever order: progress is never lost, and an ended session neither buffers nor plays.
    @Test(arguments: Effort.seeds(50)) func anything(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var session = session(isPaused: .random(using: &random))
        for step in 1...200 {
            let before = session
            switch Int.random(in: 0..<9, using: &random) {
            case 0: session.becomeReady()
            case 1: session.pictureShown()
            case 2: session.start()
            case 3: session.setBuffering(.random(using: &random))
            case 4: session.end()
            case 5: session.setPaused(.random(using: &random))
            case 6: session.setSuspended(.random(using: &random))
            case 7: session.seekBegan(seek(step))
            default: session.seekEnded(isAtLive: .random(using: &random))
            }
            #expect(session.isReady || !before.isReady)
            #expect(session.hasPicture || !before.hasPicture)
            #expect(session.hasStarted || !before.hasStarted)
            #expect(!session.hasEnded || !session.isPlaying && !session.isBuffering)
            #expect(!session.isHeld || !session.isPlaying)
            #expect(session.seek == nil || !session.followsLive)
        }
    }
}
