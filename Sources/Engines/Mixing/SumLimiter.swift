// SPDX-License-Identifier: Apache-2.0

/// Limits a sum that would exceed full scale: its gain is reduced at once and recovers within half a second. Sound
/// within full scale is not changed.
struct SumLimiter {
    private static let recovery: Float = 1 / 24_000
    private var gain: Float = 1

    /// - Parameter frames: interleaved stereo.
    mutating func apply(to frames: UnsafeMutableBufferPointer<Float>) {
        if gain == 1 && UnsafeBufferPointer(frames).peak <= 1 { return }
        var index = 0
        while index + 1 < frames.count {
            gain = min(1, gain + Self.recovery)
            let peak = max(frames[index].magnitude, frames[index + 1].magnitude)
            if peak * gain > 1 { gain = 1 / peak }
            frames[index] *= gain
            frames[index + 1] *= gain
            index += 2
        }
    }
}
