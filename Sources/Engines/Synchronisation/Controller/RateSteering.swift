// SPDX-License-Identifier: Apache-2.0
import Time

/// Brings the rate of a session to its target without a step that would be heard.
///
/// The rate changes by at most 0.5 % in a second, which is 8.6 cents (hundredths of a semitone). It changes every tenth
/// of a second, or later if the owner is late: by 0.05 % to 0.125 % at once, 0.9 to 2.2 cents. Steps of a tone are heard
/// from about 5 cents on.
struct RateSteering: Sendable {
    static let tick = Nanoseconds.milliseconds(100)
    /// Parts per billion in a second.
    private static let change = 5_000_000.0
    /// Seconds: a later change is no larger.
    private static let longestTick = 0.25
    /// A target that is nearer than 1 ppm is not worth a change; 0 is reached exactly.
    private static let fineness = 1_000.0

    /// Parts per billion by which the session is faster than normal.
    private(set) var rate: Int64 = 0
    /// What `rate` shall become, parts per billion.
    var target = 0.0
    private var latest: Monotonic
    private var changed: Monotonic
    /// Since they were taken.
    private var passed = (seconds: 0.0, gained: 0.0)

    init(at now: Monotonic) { (latest, changed) = (now, now) }

    private var difference: Double { target - Double(rate) }
    private var isReached: Bool { difference.magnitude < (target == 0 ? 1 : Self.fineness) }

    /// Nil while the target is reached.
    var nextTick: Monotonic? { isReached ? nil : changed + Self.tick }

    /// Time has gone on at this rate.
    mutating func advance(to now: Monotonic) {
        let seconds = Double(now.elapsed(since: latest).count) / 1e9
        latest = now
        passed.seconds += seconds
        passed.gained += seconds * Double(rate)
    }

    /// Changes the rate towards the target, if it is time.
    /// - Returns: whether it has changed.
    mutating func steer() -> Bool {
        guard !isReached, latest >= changed + Self.tick else { return false }
        let seconds = min(Self.longestTick, Double(latest.elapsed(since: changed).count) / 1e9)
        changed = latest
        let most = Self.change * seconds
        rate += Int64(max(-most, min(most, difference)))
        return true
    }

    /// The seconds since the last call, and the nanoseconds that the session has gained in them by its rate.
    mutating func take() -> (seconds: Double, gained: Double) {
        defer { passed = (0, 0) }
        return passed
    }

    /// The sound of the session begins again: nobody hears that the rate becomes its target at once.
    /// - Returns: whether it has changed.
    mutating func settle() -> Bool {
        guard !isReached else { return false }
        (rate, changed) = (Int64(target), latest)
        return true
    }

    /// The session stands still, and will continue at normal rate.
    mutating func rest() { (rate, target) = (0, 0) }
}
