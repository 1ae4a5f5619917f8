// SPDX-License-Identifier: Apache-2.0

/// The gain of the frames next to silence, from nothing to all in 5 ms, without corners.
struct Fade {
    /// Frames.
    static let length = 240
    /// By frames from silence, 0...`length`.
    private let gains: [Float] = (0...length).map {
        let part = Float($0) / Float(length)
        return part * part * (3 - 2 * part)
    }
    /// Frames from silence.
    private(set) var level = 0

    var isFull: Bool { level == Self.length }

    mutating func restart() { level = 0 }

    /// - Parameters:
    ///   - frames: interleaved stereo.
    ///   - remaining: frames from the first of these to silence.
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
