// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time

@testable import Mixing
@testable import Playback

/// The sound of a simulated box: a DAC of its own, held to the playback clock by the speed of the resampler, as
/// `MixerInput` does. What is resampled is heard 160 ms later.
struct SimulatedSpeaker {
    private static let period = Nanoseconds.milliseconds(20)
    private static let periodsAhead = 8
    /// A frame, to which the device tells its delay.
    private static let noise: Int64 = 21_000

    private let dac: SimulatedCrystal
    private var loop = DriftLoop()
    private var made: [Int] = []
    private var periods: Int64 = 0
    private var (epoch, steps) = (0, 0)
    /// Of the stream's clock, where it is heard; nil when it begins.
    private var offset: Monotonic?
    /// The time stamp that is heard, as a span; nil while it is silent.
    private var heard: Nanoseconds?

    init(_ dac: SimulatedCrystal) { self.dac = dac }

    /// True time of the next period.
    var nextPeriod: Int64 { dac.time(of: Monotonic(nanoseconds: dac.origin + periods * Self.period.count)) }

    mutating func skip(to time: Int64) {
        periods = (dac.reading(at: time).nanoseconds - dac.origin) / Self.period.count + 1
    }

    /// Plays a period.
    /// - Returns: true time minus time stamp of what is heard; nil while it is silent.
    mutating func play(
        _ player: SimulatedPlayer, _ box: SimulatedCrystal, _ random: inout SplitMix64
    ) -> Nanoseconds? {
        let time = nextPeriod
        let instant = box.reading(at: time)
        periods += 1
        let told = instant + Nanoseconds(.random(in: -Self.noise...Self.noise, using: &random))
        guard player.hasStarted else { return nil }
        guard let heard, epoch == player.epoch, steps == player.control.state.steps, let due = player.due(heard),
            (due - told).magnitude <= MixerInput.jump
        else {
            begin(player, at: instant)
            return nil
        }
        let offset = due - heard - player.control.state.delay
        let step = offset - (self.offset ?? offset)
        self.offset = offset
        guard step.magnitude <= MixerInput.gap else {
            begin(player, at: instant)
            return nil
        }
        loop.clockStepped(by: step)
        loop.update(error: due - told, over: Self.period)
        made.append(loop.correction + (player.control.state.rate ?? 0))
        let correction = made.count > Self.periodsAhead ? made.removeFirst() : made[0]
        self.heard = heard + Self.period - Nanoseconds(Self.period.count * Int64(correction) / 1_000_000_000)
        return Nanoseconds(time) - heard
    }

    /// Silence for a period, and then what is due.
    private mutating func begin(_ player: SimulatedPlayer, at instant: Monotonic) {
        (heard, offset) = (nil, nil)
        (epoch, steps) = (player.epoch, player.control.state.steps)
        if let seek = player.seek, instant < seek.arrives { return }
        guard let offset = player.position.correlation?.offset else { return }
        let stamp = Nanoseconds((instant + Self.period - player.control.state.delay - offset).nanoseconds)
        guard let due = player.due(stamp) else { return }
        // The media time there may be of another offset than that of what was read last.
        heard = stamp - (due - instant - Self.period)
        loop.restart()
        made = Array(repeating: loop.correction, count: Self.periodsAhead)
    }
}
