// SPDX-License-Identifier: Apache-2.0
import Time

/// Holds sound to its due times by the speed at which it is played: a proportional and an integral part of the smoothed
/// error. Settles within 10 s, without overshoot from a change of the sender's speed; 100 ppm more move the sound by
/// less than 0.2 ms meanwhile.
struct DriftLoop {
    /// Parts per billion.
    static let limit = 5_000_000.0
    /// What smooths the jitter of time stamps: seconds.
    private static let smoothing = 0.5
    /// 1/s: 1 ms of error is answered by 600 ppm.
    private static let proportion = 0.6
    /// 1/s².
    private static let integration = 0.09

    private var smoothed: Double?
    /// The speed learnt so far, parts per billion.
    private var learnt = 0.0
    /// How many more frames to make of the source, in parts per billion: positive plays slower.
    private(set) var correction = 0

    /// - Parameters:
    ///   - error: by how much sound is played too early.
    ///   - span: since the call before.
    mutating func update(error: Nanoseconds, over span: Nanoseconds) {
        let error = Double(error.count)
        let seconds = Double(span.count) / 1_000_000_000
        let before = smoothed ?? error
        let now = before + (error - before) * min(1, seconds / Self.smoothing)
        smoothed = now
        let wanted = learnt + Self.proportion * now
        // What the limit cuts off would be learnt for nothing.
        if abs(wanted) < Self.limit || wanted * now < 0 {
            learnt = Self.limited(learnt + Self.integration * now * seconds)
        }
        correction = Int(Self.limited(learnt + Self.proportion * now))
    }

    /// The sound begins elsewhere: its error is new, its speed is not.
    mutating func restart() {
        smoothed = nil
        correction = Int(learnt)
    }

    private static func limited(_ value: Double) -> Double { max(-limit, min(limit, value)) }
}
