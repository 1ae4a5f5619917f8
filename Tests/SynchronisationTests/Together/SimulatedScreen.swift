// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time
import Timelines

@testable import Playback

/// The render thread and the display of a simulated box: at each vblank it decides what is shown at the next one, as
/// `RegionState` and `Pacer` do.
struct SimulatedScreen {
    /// After a vblank the present for the next begins.
    static let opening = Nanoseconds.microseconds(600)
    private static let reach = Nanoseconds.milliseconds(2)
    /// Flips are reported later by up to this.
    private static let flipJitter: Int64 = 30_000

    private let crystal: SimulatedCrystal
    private let refresh: FrameRate
    private let phase: Int64
    private var clock = VBlankClock()
    private var cadence = Cadence()
    private var vblank: Int64 = 0

    /// - Parameter phase: true time of the first vblank.
    init(_ refresh: FrameRate, _ crystal: SimulatedCrystal, phase: Int64) {
        (self.refresh, self.crystal, self.phase) = (refresh, crystal, phase)
        clock.setNominal(refresh.period)
    }

    private func time(of vblank: Int64) -> Int64 {
        phase + crystal.time(of: Monotonic(nanoseconds: vblank * refresh.seconds * 1_000_000_000 / refresh.pictures))
    }

    /// True time of the next decision.
    var nextDecision: Int64 { time(of: vblank) + Self.opening.count }

    mutating func skip(to time: Int64) { while nextDecision < time { vblank += 1 } }

    /// Decides what is shown at the next vblank.
    /// - Parameter box: the clock of the box.
    /// - Returns: the picture and when it is visible, in true time; nil if the screen stays. And the number of a seek
    ///   that has ended.
    mutating func decide(
        _ player: inout SimulatedPlayer, _ box: SimulatedCrystal, _ random: inout SplitMix64
    ) -> (picture: Int, at: Int64, seek: Int?)? {
        let now = box.reading(at: nextDecision)
        vblank += 1
        cadence.isShared = player.control.state.isShared
        let number = clock.isLocked(at: now) ? clock.vblank(after: now + Self.reach) : nil
        var shown: (picture: Int, seek: Int?)?
        while let (picture, time, due, isImmediate) = player.picture(at: now) {
            if let number, !isImmediate {
                let place = cadence.place(time, due: due, on: clock)
                guard place.vblank <= number else { break }
                cadence.take(place, time, due: due, on: clock)
            } else {
                guard isImmediate || due <= now else { break }
                cadence.reset()
            }
            shown = (picture, player.shown(picture) ?? shown?.seek)
        }
        guard let shown else { return nil }
        let visible = self.time(of: vblank)
        clock.flipped(at: box.reading(at: visible + .random(in: 0...Self.flipJitter, using: &random)))
        return (shown.picture, visible, shown.seek)
    }
}
