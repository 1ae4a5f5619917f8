// SPDX-License-Identifier: Apache-2.0
import Time

/// When a device plays what is written to it, by what it says of its delay.
///
/// Drivers move their pointer in steps, of a period or more: between two of them the delay that they tell is too large,
/// never too small. So the least of the last one to two seconds is believed, which is followed by the clock's speed
/// alone; nothing that a driver says once moves it by more than a millisecond. What goes beyond `jump` is a device that
/// stood still, and is jumped to once it has said so all the while. From `begin` on it never goes back.
struct PlayedClock {
    /// Parts per million by which it is faster or slower than nominal while it follows. Crystals differ by 100.
    private static let slew: Int64 = 500
    static let jump = Nanoseconds.milliseconds(20)
    private static let window = Nanoseconds.seconds(1)

    private let rate: TickRate
    /// Since `begin`.
    private var written: Int64 = 0
    /// When the first of them was heard, as believed; nil: nothing is known yet.
    private var origin: Monotonic?
    private var followed = Monotonic(nanoseconds: .min)
    private var last = Monotonic(nanoseconds: .min)
    /// The earliest that readings said of `origin`, of this window and of that before.
    private var earliest: Monotonic?
    private var earliestBefore: Monotonic?
    private var windowBegan = Monotonic(nanoseconds: .min)
    /// Since when every reading has been earlier than what is believed, by more than `jump`.
    private var earlySince: Monotonic?

    init(sampleRate: Int) { rate = TickRate(Int64(sampleRate)) }

    /// The device is started anew, or another one.
    mutating func begin() {
        written = 0
        origin = nil
        earliest = nil
        earliestBefore = nil
        earlySince = nil
        last = Monotonic(nanoseconds: .min)
    }

    mutating func wrote(frames: Int) { written += Int64(frames) }

    /// When the frame that is written next will be heard.
    /// - Parameter delay: as the device said at `instant`; nil: it said nothing.
    mutating func nextAudible(delay: Int?, at instant: Monotonic) -> Monotonic {
        let ahead = rate.nanoseconds(written)
        if let delay { follow(instant + rate.nanoseconds(Int64(max(0, delay))) - ahead, at: instant) }
        last = max(last, max(instant, origin.map { $0 + ahead } ?? instant))
        return last
    }

    private mutating func follow(_ reading: Monotonic, at instant: Monotonic) {
        guard let before = origin else {
            origin = reading
            followed = instant
            windowBegan = instant
            earliest = reading
            return
        }
        let target = leastBelieved(reading, at: instant)
        let span = min(max(.zero, instant - followed), Self.window)
        followed = instant
        let isEarly = reading - before < -Self.jump
        if !isEarly { earlySince = nil } else if earlySince == nil { earlySince = instant }
        let error = target - before
        // What is too early might be a single reading; what is too late is what all of them say.
        if error > Self.jump || earlySince.map({ instant - $0 > Self.window }) ?? false {
            origin = target
            earlySince = nil
        } else {
            let most = Nanoseconds(span.count / 1_000_000 * Self.slew)
            origin = before + max(-most, min(most, error))
        }
    }

    private mutating func leastBelieved(_ reading: Monotonic, at instant: Monotonic) -> Monotonic {
        if instant - windowBegan >= Self.window {
            // After a longer silence what was said before it is as old as that.
            earliestBefore = instant - windowBegan < Self.window * 2 ? earliest : nil
            earliest = nil
            windowBegan = instant
        }
        let least = min(earliest ?? reading, reading)
        earliest = least
        return min(least, earliestBefore ?? least)
    }
}
