// SPDX-License-Identifier: Apache-2.0
import Time

/// Some devices take any amount at once: libasound's `null` and `file`, or a driver whose clock does not run. This
/// guard keeps the audio thread from spinning on them.
struct PaceGuard {
    /// How much faster than nominal a device may take frames: more than any crystal's error, less than a mixer's
    /// correction.
    private static let tolerance: Int64 = 500  // one part in

    private let rate: TickRate
    /// Duration of audio that may be taken at once.
    private let room: Nanoseconds
    private var level = Nanoseconds.zero
    private var since: Monotonic?

    init(sampleRate: Int, buffer: Int) {
        rate = TickRate(Int64(sampleRate))
        room = rate.nanoseconds(Int64(buffer)) + .milliseconds(100)
    }

    /// - Returns: the instant until which to wait; nil, as nearly always, if there is no need to.
    mutating func took(frames: Int, at now: Monotonic) -> Monotonic? {
        let passed: Nanoseconds = since.map { max(.zero, now - $0) } ?? .zero
        since = now
        level = max(.zero, level - passed - passed / Self.tolerance) + rate.nanoseconds(Int64(frames))
        return level > room ? now + (level - room) : nil
    }
}
