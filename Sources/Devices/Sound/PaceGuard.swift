// SPDX-License-Identifier: Apache-2.0
import Time

/// Some devices take whatever comes: libasound's `null` and `file`, a driver whose clock does not run. Without a device
/// that makes it wait the audio thread would do nothing else.
struct PaceGuard {
    /// What a device may take faster than nominal: more than any crystal is off, less than a mixer's correction.
    private static let tolerance: Int64 = 500  // one part in

    private let rate: TickRate
    /// Nanoseconds of sound that may be taken at once.
    private let room: Nanoseconds
    private var level = Nanoseconds.zero
    private var since: Monotonic?

    init(sampleRate: Int, buffer: Int) {
        rate = TickRate(Int64(sampleRate))
        room = rate.nanoseconds(Int64(buffer)) + .milliseconds(100)
    }

    /// - Returns: until when to wait; nearly always nil.
    mutating func took(frames: Int, at now: Monotonic) -> Monotonic? {
        let passed: Nanoseconds = since.map { max(.zero, now - $0) } ?? .zero
        since = now
        level = max(.zero, level - passed - passed / Self.tolerance) + rate.nanoseconds(Int64(frames))
        return level > room ? now + (level - room) : nil
    }
}
