// SPDX-License-Identifier: Apache-2.0
import Time

/// The timeline of an output without a device. Frames follow each other from the start, and each is heard `lead` after
/// the latest instant at which it may be written.
struct PacedTimeline {
    static let sampleRate = 48_000
    /// How far ahead frames are written, as for the buffer of a sound card.
    static let lead = Nanoseconds.milliseconds(40)
    /// A writer later than this does not catch up, because the machine was suspended.
    static let latest = Nanoseconds.seconds(2)

    private let start: Monotonic
    private var frames: Int64 = 0

    init(startingAt now: Monotonic) { start = now + Self.lead }

    var nextAudible: Monotonic { start + TickRate(Int64(Self.sampleRate)).nanoseconds(frames) }

    /// - Returns: number of frames that were not written in time and became silence; nearly always 0.
    mutating func skip(at now: Monotonic) -> Int {
        guard now - nextAudible > Self.latest else { return 0 }
        let missed = TickRate(Int64(Self.sampleRate)).ticks(now + Self.lead - nextAudible)
        frames += missed
        return Int(missed)
    }

    /// - Returns: the instant of the next write.
    mutating func advance(by written: Int) -> Monotonic {
        frames += Int64(written)
        return nextAudible - Self.lead
    }
}
