// SPDX-License-Identifier: Apache-2.0
import Time

/// Keeps sound at its due times by changing the speed of playback: a proportional-integral controller of the smoothed
/// error. It settles within 10 s, without overshoot when the sender's speed changes; a change of 100 ppm moves the
/// sound by less than 0.2 ms meanwhile.
///
/// A step of the stream's clock is told to it. The clock steps by milliseconds while it acquires, which is when sound
/// begins. A step is made up for within three seconds, and nothing is learnt from it: the integral part would learn a
/// speed that nobody has, and be a quarter of the step off in the other direction five seconds later.
struct DriftLoop {
    /// Greatest correction, parts per billion.
    static let limit = 5_000_000.0
    /// Time constant of the filter that smooths the jitter of time stamps, seconds.
    private static let smoothing = 0.5
    /// Gain of the proportional part, 1/s: an error of 1 ms is answered by 600 ppm.
    private static let proportion = 0.6
    /// Gain of the integral part, 1/s².
    private static let integration = 0.09
    /// The stream's clock changes by less without a step, nanoseconds.
    private static let leastStep = 500_000.0
    /// How fast a step is made up for: 1/s, and parts per billion at most.
    private static let stepGain = 1.5
    private static let stepLimit = 4_000_000.0
    /// A correction is heard so much later, seconds.
    private static let latency = 0.15

    private var smoothed: Double?
    /// Integral part: the speed learnt so far, parts per billion.
    private var learnt = 0.0
    /// What steps have left, nanoseconds: that which is yet to be corrected, and that which is yet to be heard.
    private var (uncorrected, unheard) = (0.0, 0.0)
    /// How many more output frames to make of the source, parts per billion; positive plays slower.
    private(set) var correction = 0

    /// - Parameters:
    ///   - error: how early the sound is played.
    ///   - span: time since the last call.
    mutating func update(error: Nanoseconds, over span: Nanoseconds) {
        let error = Double(error.count)
        let seconds = Double(span.count) / 1_000_000_000
        let ofSteps = makeUp(over: seconds)
        let rest = error - unheard
        let before = smoothed ?? rest
        let now = before + (rest - before) * min(1, seconds / Self.smoothing)
        smoothed = now
        let wanted = learnt + Self.proportion * now + ofSteps
        // No integration while the limit holds the output back (anti-windup).
        if abs(wanted) < Self.limit || wanted * now < 0 {
            learnt = Self.limited(learnt + Self.integration * now * seconds)
        }
        correction = Int(Self.limited(learnt + Self.proportion * now + ofSteps))
    }

    /// - Parameter change: how much later everything is due from now on.
    mutating func clockStepped(by change: Nanoseconds) {
        let change = Double(change.count)
        guard abs(change) >= Self.leastStep else { return }
        uncorrected += change
        unheard += change
    }

    /// - Returns: the correction for the steps, parts per billion.
    private mutating func makeUp(over seconds: Double) -> Double {
        let correction = max(-Self.stepLimit, min(Self.stepLimit, uncorrected * Self.stepGain))
        uncorrected -= correction * seconds
        unheard += (uncorrected - unheard) * min(1, seconds / Self.latency)
        return correction
    }

    /// Playback begins at another place: the error is new, the learnt speed stays.
    mutating func restart() {
        smoothed = nil
        (uncorrected, unheard) = (0, 0)
        correction = Int(learnt)
    }

    private static func limited(_ value: Double) -> Double { max(-limit, min(limit, value)) }
}
