// SPDX-License-Identifier: Apache-2.0
import Media
import Testing
import Time

@testable import Playback

/// Instants in milliseconds.
private func at(_ milliseconds: Int64) -> Monotonic { Monotonic(nanoseconds: milliseconds * 1_000_000) }

private let delay = Nanoseconds.milliseconds(200)

@Suite struct PlaybackClockControlTests {
    @Test func presentsAtArrivalAndDelay() {
        let control = PlaybackClockControl(playoutDelay: delay)
        #expect(control.state.due(at(1_000)) == at(1_200))
        #expect(control.mediaTime(at: at(1_200)) == at(1_000))
        #expect(control.behindLive(at: at(5_000)) == .zero)
    }

    /// SVM-58: so far behind live, whatever was before.
    @Test func seeksFromLive() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.seek(behindLive: .seconds(20), epoch: 1, at: at(60_000))
        #expect(control.mediaTime(at: at(60_000)) == at(39_800))
        #expect(control.behindLive(at: at(90_000)) == .seconds(20))
        control.seek(behindLive: .zero, epoch: 2, at: at(60_000))
        #expect(control.behindLive(at: at(60_000)) == .zero)
        #expect(control.state.epoch == 2)
    }

    /// A pause of 10 s leaves the playback clock 10 s behind, at the picture that was to come.
    @Test func resumesWhereItWasPaused() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.pause(at: at(1_000))
        control.pause(at: at(2_000))
        #expect(control.state.due(at(900)) == nil)
        #expect(control.mediaTime(at: at(9_000)) == at(800))
        #expect(control.behindLive(at: at(9_000)) == .seconds(8))
        control.play(at: at(11_000))
        control.play(at: at(12_000))
        #expect(control.mediaTime(at: at(11_000)) == at(800))
        #expect(control.behindLive(at: at(20_000)) == .seconds(10))
    }

    /// A seek while paused moves the held picture; resuming goes on from there.
    @Test func seeksWhilePaused() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.pause(at: at(1_000))
        control.seek(behindLive: .seconds(5), epoch: 1, at: at(20_000))
        #expect(control.isPaused)
        #expect(control.mediaTime(at: at(25_000)) == at(14_800))
        control.play(at: at(26_000))
        #expect(control.mediaTime(at: at(26_000)) == at(14_800))
        #expect(control.behindLive(at: at(26_000)) == .seconds(11))
    }

    @Test func anchorsAPictureAtTheInstant() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.anchor(at(500), at: at(7_000))
        #expect(control.state.due(at(500)) == at(7_000))
    }

    /// The start policy `stretch`: at once with a small delay, then 0.5 % slower until D is reached, and not beyond.
    @Test func stretchesByAtMostHalfAPercent() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.startStretching(from: .milliseconds(50), at: at(0))
        var last = control.state.delay
        for step in 1...4_000 {
            let now = at(Int64(step) * 20)
            _ = control.advance(to: now)
            #expect(control.state.delay >= last)
            let grown = control.state.delay - Nanoseconds.milliseconds(50)
            #expect(grown <= Nanoseconds.milliseconds(Int64(step) * 20) / 200)
            last = control.state.delay
        }
        #expect(control.state.delay == delay)
        #expect(control.behindLive(at: at(80_000)) == .zero)
    }

    /// A media clock that starts late in the delay has nothing to stretch.
    @Test func aGreaterDelayIsNotStretched() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.startStretching(from: .milliseconds(300), at: at(0))
        #expect(control.state.delay == delay)
        let changed = control.advance(to: at(10_000))
        #expect(!changed)
    }

    /// Repair was found: D grows while the channel plays.
    @Test func aLongerDelayIsGrownTo() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.lengthen(to: delay + .milliseconds(100), at: at(0))
        #expect(control.state.delay == delay && control.behindLive(at: at(0)) == .zero)
        _ = control.advance(to: at(10_000))
        #expect(control.state.delay == delay + .milliseconds(50))
        _ = control.advance(to: at(60_000))
        #expect(control.state.delay == delay + .milliseconds(100))
        control.lengthen(to: delay, at: at(61_000))
        control.seek(behindLive: .zero, epoch: 1, at: at(62_000))
        #expect(control.state.delay == delay + .milliseconds(100), "it grows only")
    }

    /// A pause in between took longer than what was to be grown: playback goes on where it stands.
    @Test func aPauseIsNotTakenBack() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.startStretching(from: .milliseconds(50), at: at(0))
        control.pause(at: at(1_000))
        control.play(at: at(6_000))
        let before = control.state.delay
        let changed = control.advance(to: at(7_000))
        #expect(!changed && control.state.delay == before && before > delay)
    }

    /// Another clock is followed by rate alone, and what was followed stays (CSS-11).
    @Test func isSteeredByAtMostHalfAPercent() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.seek(behindLive: .seconds(2), epoch: 1, at: at(0))
        control.steer(by: 20_000_000, at: at(0))
        for step in 1...500 { _ = control.advance(to: at(Int64(step) * 20)) }
        #expect(control.behindLive(at: at(10_000)) == .milliseconds(2_050))
        control.steer(by: -100_000, at: at(10_000))
        for step in 501...1_000 { _ = control.advance(to: at(Int64(step) * 20)) }
        #expect((control.behindLive(at: at(20_000)) - .milliseconds(2_049)).magnitude <= .microseconds(20))
        control.steer(by: nil, at: at(20_000))
        let changed = control.advance(to: at(30_000))
        #expect(!changed && control.behindLive(at: at(30_000)) < .milliseconds(2_050))
    }

    @Test func isSteeredNoNearerToLiveThanItsDelay() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.seek(behindLive: .milliseconds(10), epoch: 1, at: at(0))
        control.steer(by: -5_000_000, at: at(0))
        for step in 1...500 { _ = control.advance(to: at(Int64(step) * 20)) }
        #expect(control.state.delay == delay)
        var file = PlaybackClockControl(playoutDelay: delay, isLive: false)
        file.steer(by: -5_000_000, at: at(0))
        for step in 1...500 { _ = file.advance(to: at(Int64(step) * 20)) }
        #expect(file.state.delay == delay - .milliseconds(50))
    }

    /// A pause takes none of the time by which the other clock would have been followed.
    @Test func isNotSteeredWhilePaused() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.seek(behindLive: .seconds(2), epoch: 1, at: at(0))
        control.steer(by: 5_000_000, at: at(0))
        control.pause(at: at(0))
        _ = control.advance(to: at(60_000))
        control.play(at: at(60_000))
        _ = control.advance(to: at(60_100))
        #expect((control.behindLive(at: at(60_100)) - .seconds(62)).magnitude <= .milliseconds(1))
    }

    /// What was to come is presented later by exactly this, and time before it is played as it was.
    @Test func isPutOff() {
        var control = PlaybackClockControl(playoutDelay: delay)
        let moves = control.moves
        control.putOff(by: .milliseconds(1_300), at: at(5_000))
        #expect(control.state.due(at(4_800)) == at(6_300))
        #expect(control.behindLive(at: at(5_000)) == .milliseconds(1_300))
        #expect(control.moves == moves + 1 && control.state.epoch == 0 && !control.isPaused)
        control.putOff(by: .milliseconds(-50), at: at(6_000))
        #expect(control.state.delay == .milliseconds(1_500))
    }

    /// 50 ppm are 5 µs in the time between two commands, which is less than a step of the clock.
    @Test func ratesThatChangeOftenLoseNothing() {
        var control = PlaybackClockControl(playoutDelay: delay)
        control.steer(by: 50_000, at: at(0))
        for step in 1...1_000 {
            _ = control.advance(to: at(Int64(step) * 100 - 50))
            control.steer(by: 50_000 + step % 2, at: at(Int64(step) * 100))
        }
        #expect((control.state.delay - delay - .milliseconds(5)).magnitude <= .microseconds(2))
    }

    /// A box that leads has told its clock once, long ago. Its delay grows from now on by half a percent; after 22 days the
    /// growth of all that time was more than 64 bits hold.
    @Test(arguments: [5, 65, 86_400, 22 * 86_400] as [Int64]) func aLeadersDelayGrowsFromNowOn(seconds: Int64) {
        for isAdvanced in [false, true] {
            var control = PlaybackClockControl(playoutDelay: delay)
            control.steer(by: 0, at: at(0))
            if isAdvanced {
                for part in 1...10 as ClosedRange<Int64> { _ = control.advance(to: at(seconds * 100 * part)) }
            }
            let now = at(seconds * 1_000)
            control.lengthen(to: delay + .milliseconds(500), at: now)
            _ = control.advance(to: now + .milliseconds(100))
            #expect(control.state.delay == delay + .microseconds(500))
            for step in 2...1_100 as ClosedRange<Int64> { _ = control.advance(to: now + .milliseconds(100 * step)) }
            #expect(control.state.delay == delay + .milliseconds(500) && control.playoutDelay == control.state.delay)
        }
    }

    @Test func isSharedWhileItFollowsAnotherClock() {
        var control = PlaybackClockControl(playoutDelay: delay)
        #expect(!control.state.isShared)
        control.steer(by: 0, at: at(0))
        #expect(control.state.isShared && control.state.rate == 0 && control.state.delay == delay)
        // At its delay it cannot play faster, behind it can.
        control.steer(by: -50, at: at(10))
        #expect(control.state.rate == 0)
        control.putOff(by: .milliseconds(10), at: at(20))
        control.steer(by: -60, at: at(30))
        #expect(control.state.rate == -60 && control.state.steps == 1)
        control.steer(by: nil, at: at(100))
        #expect(!control.state.isShared)
    }

    @Test func availableEndsAtTheOldest() {
        let control = PlaybackClockControl(playoutDelay: delay)
        #expect(control.available(from: at(10_000), at: at(40_200)) == .seconds(30))
        #expect(control.available(from: at(40_100), at: at(40_200)) == .zero)
    }
}
