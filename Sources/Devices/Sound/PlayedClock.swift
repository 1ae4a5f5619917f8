// SPDX-License-Identifier: Apache-2.0
import Time

/// Estimates when a device plays what is written to it, from the delay that its driver reports.
///
/// Drivers move their pointer in steps of a period or more; between two steps the reported delay is too large, never
/// too small. So the smallest reading of the last one to two seconds is followed, at most at the rate `slew`; no single
/// reading moves the estimate by more than a millisecond. A difference beyond `jump` means that the device stood still:
/// a later time is taken at once, an earlier one after all readings of a window agree. The result never goes back after
/// `begin`.
struct PlayedClock {
    /// Parts per million by which the estimate may run fast or slow while it follows. Crystals differ by 100.
    private static let slew: Int64 = 500
    static let jump = Nanoseconds.milliseconds(20)
    private static let window = Nanoseconds.seconds(1)

    private let rate: TickRate
    /// Frames written since `begin`.
    private var written: Int64 = 0
    /// Estimate of when the first of these frames was heard; nil until the first reading.
    private var origin: Monotonic?
    private var followed = Monotonic(nanoseconds: .min)
    private var last = Monotonic(nanoseconds: .min)
    /// Earliest readings of `origin` in the current window and in the one before; nil if there were none.
    private var earliest: Monotonic?
    private var earliestBefore: Monotonic?
    private var windowBegan = Monotonic(nanoseconds: .min)
    /// Since when each reading has been earlier than the estimate by more than `jump`; nil if the last one was not.
    private var earlySince: Monotonic?

    init(sampleRate: Int) { rate = TickRate(Int64(sampleRate)) }

    /// The device was restarted or replaced.
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
    /// - Parameter delay: frames, as reported at `instant`; nil if the device reported none.
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
        // A reading that is too early may be an exception, but a least reading that is too late means that all of them
        // are.
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
            // After a long pause the earlier readings are too old.
            earliestBefore = instant - windowBegan < Self.window * 2 ? earliest : nil
            earliest = nil
            windowBegan = instant
        }
        let least = min(earliest ?? reading, reading)
        earliest = least
        return min(least, earliestBefore ?? least)
    }
}
