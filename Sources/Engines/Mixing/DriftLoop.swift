// SPDX-License-Identifier: Apache-2.0
import Time

/// Keeps sound at its due times by changing the speed of playback: a proportional-integral controller of the smoothed
/// error. It settles within 10 s, without overshoot when the sender's speed changes; a change of 100 ppm moves the
/// sound by less than 0.2 ms meanwhile.
struct DriftLoop {
    /// Greatest correction, parts per billion.
    static let limit = 5_000_000.0
    /// Time constant of the filter that smooths the jitter of time stamps, seconds.
    private static let smoothing = 0.5
    /// Gain of the proportional part, 1/s: an error of 1 ms is answered by 600 ppm.
    private static let proportion = 0.6
    /// Gain of the integral part, 1/s².
    private static let integration = 0.09

    private var smoothed: Double?
    /// Integral part: the speed learnt so far, parts per billion.
    private var learnt = 0.0
    /// How many more output frames to make of the source, parts per billion; positive plays slower.
    private(set) var correction = 0

    /// - Parameters:
    ///   - error: how early the sound is played.
    ///   - span: time since the last call.
    mutating func update(error: Nanoseconds, over span: Nanoseconds) {
        let error = Double(error.count)
        let seconds = Double(span.count) / 1_000_000_000
        let before = smoothed ?? error
        let now = before + (error - before) * min(1, seconds / Self.smoothing)
        smoothed = now
        let wanted = learnt + Self.proportion * now
        // No integration while the limit holds the output back (anti-windup).
        if abs(wanted) < Self.limit || wanted * now < 0 {
            learnt = Self.limited(learnt + Self.integration * now * seconds)
        }
        correction = Int(Self.limited(learnt + Self.proportion * now))
    }

    /// Playback begins at another place: the error is new, the learnt speed stays.
    mutating func restart() {
        smoothed = nil
        correction = Int(learnt)
    }

    private static func limited(_ value: Double) -> Double { max(-limit, min(limit, value)) }
}
