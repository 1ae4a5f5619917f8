// SPDX-License-Identifier: Apache-2.0
import Time

/// How long a stream's clock waits for sound that comes later than the pictures of its instant: by the stream's references
/// or, where they say nothing, by the arrivals of both.
struct SoundWait: Sendable {
    private static let plausible = Nanoseconds.seconds(-10)...Nanoseconds.seconds(10)
    /// Sound and pictures of a new timeline begin within this time.
    private static let patience = Nanoseconds.seconds(3)

    /// By which slack sound is later than pictures. Small variations of either do not matter.
    private struct Comparison: Sendable {
        /// The slack of sound counts in whole steps. One that is greater than those of the last step by less than the margin
        /// is still of that step, and sound that is earlier than the pictures by less is still waited for.
        private static let step = Nanoseconds.milliseconds(100)
        private static let margin = Nanoseconds.milliseconds(20)
        /// How much earlier than at its time sound is wanted: a sender may be late by the allowance, and of the usual
        /// play-out delay of 200 ms the rests of two threads and the mixer need more than the rest.
        private static let reserve = Nanoseconds.milliseconds(50)
        /// The clock waits for all of the time up to this by which sound comes later, and beyond for all but a step: so much
        /// the play-out delay covers.
        private static let whole = Nanoseconds.milliseconds(500)

        /// nil before it is known.
        private(set) var sound: Nanoseconds?
        private var isLater = false

        mutating func take(sound slack: Nanoseconds, pictures: Nanoseconds) {
            if slack < pictures { isLater = true } else if slack >= pictures + Self.margin { isLater = false }
            let wanted = slack - Self.reserve
            if let sound, (.zero..<Self.step + Self.margin).contains(wanted - sound) { return }
            let rest = wanted.count % Self.step.count
            sound = wanted - Nanoseconds(rest < 0 ? rest + Self.step.count : rest)
        }

        mutating func forget() { (sound, isLater) = (nil, false) }

        /// - Parameter pictures: their slack, which may have become less.
        func wait(behind pictures: Nanoseconds) -> Nanoseconds {
            guard isLater, let sound else { return .zero }
            let later = max(.zero, pictures - sound)
            return max(min(later, Self.whole), later - Self.step)
        }
    }

    private var slack = UnitSlack(allowance: .milliseconds(100), plausible: plausible)
    private var stamps = StampTracker(.mpeg, modulus: 1 << 33)
    private var byReferences = Comparison()
    /// The slack of pictures is nothing here.
    private var byArrivals = Comparison()
    /// Until when the arrivals of sound and pictures are not compared, because the line of one has moved; nil if both have,
    /// or none.
    private var apart: (isSound: Bool, until: Monotonic)?
    /// Whether no sound has come since the clock began.
    private var isAwaited = true

    // MARK: What comes

    mutating func clockBegan() { isAwaited = true }

    /// - Returns: whether it is the first unit since the clock began.
    mutating func takeFirst() -> Bool {
        defer { isAwaited = false }
        return isAwaited
    }

    /// See `UnitSlack`.
    /// - Parameter pictures: their slack; nil before it is known.
    mutating func referenceReceived(ticks: Int64, packet: Int64, level: Nanoseconds, pictures: Nanoseconds?) {
        slack.referenceReceived(ticks: ticks, packet: packet, level: level)
        if let sound = slack.least, let pictures { byReferences.take(sound: sound, pictures: pictures) }
    }

    /// See `UnitSlack`.
    mutating func brokeOff() { slack.brokeOff() }

    /// - Parameter verdict: on the decoding time of a picture.
    mutating func pictureCompleted(_ verdict: StampTracker.Verdict, at arrival: Monotonic) {
        note(verdict, isSound: false, at: arrival)
    }

    /// - Parameters:
    ///   - level: the difference arrival - reference without jitter; nil where that says nothing of the unit.
    ///   - pictures: the arrivals of the pictures; nil before the first.
    mutating func unitCompleted(
        pts: UInt64, packet: Int64, at arrival: Monotonic, level: Nanoseconds?, pictures: ArrivalLine?
    ) {
        if let level { slack.unitCompleted(dts: pts, packet: packet, at: arrival, level: level) }
        note(stamps.received(pts, at: arrival), isSound: true, at: arrival)
        if let apart, arrival >= apart.until { self.apart = nil }
        guard apart == nil, let pictures, let sound = stamps.line else { return }
        let earlier = pictures.value(at: arrival) - sound.value(at: arrival)
        if Self.plausible.contains(earlier) { byArrivals.take(sound: earlier, pictures: .zero) }
    }

    /// The last unit goes on. Of slacks the least counts, but of arrivals the earliest.
    mutating func goesOn() {
        stamps = StampTracker(.mpeg, modulus: 1 << 33)
        byArrivals.forget()
    }

    private mutating func note(_ verdict: StampTracker.Verdict, isSound: Bool, at arrival: Monotonic) {
        guard verdict == .jumped || verdict == .stalled || verdict == .resumed else { return }
        let isOther = apart.map { $0.isSound != isSound } ?? false
        apart = isOther ? nil : (isSound, arrival + Self.patience)
    }

    // MARK: What follows from it

    /// Whether all sound of the last half second, or longer, had at most this slack by the references.
    func isRecentlyBelow(_ slack: Nanoseconds) -> Bool { self.slack.isRecentlyBelow(slack) }

    /// The slack for which the clock need not wait, by the references. Where these have just begun, what is known by
    /// arrivals counts until sound has come behind them.
    func least(of pictures: Nanoseconds) -> Nanoseconds {
        guard !slack.isUnrelated else { return pictures }
        return pictures - (byReferences.sound == nil ? behindPictures : byReferences.wait(behind: pictures))
    }

    /// How long the clock waits beyond the pictures, by arrivals.
    var behindPictures: Nanoseconds { byArrivals.wait(behind: .zero) }
}
