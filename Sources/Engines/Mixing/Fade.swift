// SPDX-License-Identifier: Apache-2.0

/// Gain of the frames next to silence. It goes from 0 to 1 in 5 ms along a smooth step.
struct Fade {
    /// Length of a fade, frames.
    static let length = 240
    /// Gain by distance from silence, 0...`length` frames.
    private let gains: [Float] = (0...length).map {
        let part = Float($0) / Float(length)
        return part * part * (3 - 2 * part)
    }
    /// Distance from silence, frames; at most `length`.
    private(set) var level = 0

    var isFull: Bool { level == Self.length }

    mutating func restart() { level = 0 }

    /// - Parameters:
    ///   - frames: interleaved stereo.
    ///   - remaining: frames from the first of these to the next silence.
    mutating func apply(to frames: UnsafeMutableBufferPointer<Float>, remaining: Int) {
        let count = frames.count / 2
        if isFull && remaining - count >= Self.length { return }
        for index in 0..<count {
            level = min(level + 1, Self.length, remaining - index)
            let gain = gains[level]
            frames[2 * index] *= gain
            frames[2 * index + 1] *= gain
        }
    }
}
