// SPDX-License-Identifier: Apache-2.0
import Time

/// The time line of a device that does not exist: a frame after the other from the first call on, each heard `lead`
/// after the latest moment to write it.
struct PacedTimeline {
    static let sampleRate = 48_000
    /// How far frames are written ahead: what a sound card's buffer would hold.
    static let lead = Nanoseconds.milliseconds(40)
    /// Who is later than this does not catch up: the machine was suspended.
    static let latest = Nanoseconds.seconds(2)

    private let start: Monotonic
    private var frames: Int64 = 0

    init(startingAt now: Monotonic) { start = now + Self.lead }

    var nextAudible: Monotonic { start + TickRate(Int64(Self.sampleRate)).nanoseconds(frames) }

    /// How many frames were not written in time and are silence now; nearly always 0.
    mutating func skip(at now: Monotonic) -> Int {
        guard now - nextAudible > Self.latest else { return 0 }
        let missed = TickRate(Int64(Self.sampleRate)).ticks(now + Self.lead - nextAudible)
        frames += missed
        return Int(missed)
    }

    /// - Returns: when to write next.
    mutating func advance(by written: Int) -> Monotonic {
        frames += Int64(written)
        return nextAudible - Self.lead
    }
}
