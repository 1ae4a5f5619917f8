// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Playback

/// PLAY-45.
struct RenderStallWatchdogTests {
    private var watchdog = RenderStallWatchdog()

    /// The seconds in which it asks for another decoder.
    private mutating func restarts(
        seconds: Int, pictures: (Int64) -> Int64, audio: (Int64) -> Int64 = { $0 }, units: (Int64) -> Int64 = { $0 }
    ) -> [Int] {
        var found: [Int] = []
        for second in 0..<seconds {
            let time = Int64(second)
            let counts = RenderStallWatchdog.Counts(
                pictures: pictures(time), audioFrames: audio(time), videoUnits: units(time))
            if watchdog.observe(counts) == .restartDecoder { found.append(second) }
        }
        return found
    }

    @Test mutating func frozenVideoWithSound() {
        #expect(restarts(seconds: 30, pictures: { _ in 7 }) == [3, 9, 21])
    }

    @Test mutating func playingIsHealthy() {
        #expect(restarts(seconds: 60, pictures: { $0 }) == [])
        // A slide a second and a half is no stall.
        #expect(restarts(seconds: 60, pictures: { $0 / 2 }) == [])
    }

    /// Nothing arrives, or nothing is heard: that is no matter of the decoder.
    @Test mutating func silenceIsAnotherMatter() {
        #expect(restarts(seconds: 60, pictures: { _ in 7 }, audio: { _ in 1 }) == [])
        #expect(restarts(seconds: 60, pictures: { _ in 7 }, units: { _ in 1 }) == [])
    }

    @Test mutating func resetForgets() {
        _ = restarts(seconds: 3, pictures: { _ in 7 })
        watchdog.reset()
        #expect(restarts(seconds: 3, pictures: { _ in 7 }) == [])
    }
}
