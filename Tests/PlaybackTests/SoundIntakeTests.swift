// SPDX-License-Identifier: Apache-2.0
import Media
import Testing
import Time

@testable import Playback

@Suite struct SoundIntakeTests {
    private static let delay = Nanoseconds.milliseconds(500)
    private let queue = AudioQueue(session: 1, playbackClock: PlaybackClock(PlaybackClock.State(delay: delay)))
    private let head = PlaybackClockControl(playoutDelay: delay)

    private func at(_ milliseconds: Int64) -> Monotonic { Monotonic(nanoseconds: milliseconds * 1_000_000) }

    /// - Parameter time: milliseconds; nil: the unit has no time stamp.
    private func put(_ intake: inout SoundIntake, _ time: Int64?, now: Int64) -> Bool? {
        let unit = AudioUnit(
            codec: .aac, stream: 0, channels: 2, pts: nil, offset: .zero, epoch: 0, isDamaged: false)
        return [UInt8](repeating: 1, count: 8).withUnsafeBytes {
            intake.put(unit, time: time.map(at), $0, head: head, at: at(now))
        }
    }

    /// Behind a jump, sound that was due longer ago than 300 ms is passed over; from the first on that is not, all is
    /// queued.
    @Test func passesWhatIsPast() {
        var intake = SoundIntake(queue)
        #expect(put(&intake, 1_000, now: 9_000) == true, "of a channel that begins nothing is past")
        intake.jumped(isReread: false)
        #expect(intake.last == nil)
        #expect(put(&intake, 9_000, now: 9_801) == nil)
        #expect(put(&intake, 9_001, now: 9_801) == true)
        #expect(put(&intake, 8_000, now: 9_801) == true && intake.last == at(8_000))
    }

    /// What is read again for the pictures' sake is not heard twice.
    @Test func queuesNothingTwice() {
        var intake = SoundIntake(queue)
        for time in [1_000, 1_020, 1_040] as [Int64] { #expect(put(&intake, time, now: 1_000) == true) }
        intake.jumped(isReread: true)
        #expect(put(&intake, 1_020, now: 1_050) == nil)
        #expect(put(&intake, nil, now: 1_050) == nil, "it follows one that was queued")
        #expect(put(&intake, 1_040, now: 1_050) == nil)
        #expect(intake.last == at(1_040))
        #expect(put(&intake, 1_060, now: 1_050) == true && put(&intake, nil, now: 1_050) == true)
        #expect(intake.last == at(1_060))
    }

    @Test func aFullQueueIsTold() {
        var intake = SoundIntake(queue)
        var count = 0
        while put(&intake, Int64(count), now: 0) == true { count += 1 }
        #expect(count > 1_000 && intake.last == at(Int64(count - 1)))
    }
}
