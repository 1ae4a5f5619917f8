// SPDX-License-Identifier: Apache-2.0

/// Adds test tones to a mix. A tone begins, ends and changes its channel in ramps of 10 ms, without a click; another one
/// begins when the one before has faded out.
struct ToneGenerator {
    /// Frames from silence to the whole tone.
    static let ramp: Int64 = 480

    private var wave: Wave?
    private var next: TestTone?

    var isSounding: Bool { wave != nil }

    /// - Parameter tone: nil for silence.
    mutating func set(_ tone: TestTone?) {
        next = tone
        if wave == nil { begin() } else { wave?.end() }
    }

    /// - Parameter frames: interleaved stereo at 48 kHz.
    mutating func add(to frames: UnsafeMutableBufferPointer<Float>) {
        var index = 0
        while index + 1 < frames.count, wave != nil {
            index = wave?.add(to: frames, from: index) ?? index
            if wave?.hasEnded != false { begin() }
        }
    }

    private mutating func begin() {
        wave = next.map { Wave($0) }
        next = nil
    }
}

/// One tone, from its beginning to its end.
private struct Wave {
    private let amplitude: Float
    private let channel: TestTone.Channel
    /// The turn of the wave from frame to frame.
    private let step: (cosine: Double, sine: Double)
    private var place = (x: 1.0, y: 0.0)
    private var gains: (left: Float, right: Float) = (0, 0)
    private var played: Int64 = 0
    private var remaining: Int64

    init(_ tone: TestTone) {
        amplitude = Float(tone.amplitude)
        channel = tone.channel
        step = Self.turn(Double(tone.frequency) / Double(MixerInput.sampleRate))
        remaining = tone.seconds * Int64(MixerInput.sampleRate)
    }

    var hasEnded: Bool { remaining <= 0 }

    mutating func end() { remaining = min(remaining, ToneGenerator.ramp) }

    /// - Returns: the index after the last sample that has something of the tone.
    mutating func add(to frames: UnsafeMutableBufferPointer<Float>, from start: Int) -> Int {
        var index = start
        while index + 1 < frames.count, remaining > 0 {
            let target = target
            gains = (Self.moved(gains.left, to: target.left), Self.moved(gains.right, to: target.right))
            let sample = Float(place.y) * amplitude
            frames[index] += sample * gains.left
            frames[index + 1] += sample * gains.right
            place = (
                place.x * step.cosine - place.y * step.sine, place.x * step.sine + place.y * step.cosine
            )
            played += 1
            remaining -= 1
            index += 2
        }
        return index
    }

    private var target: (left: Float, right: Float) {
        guard remaining > ToneGenerator.ramp else { return (0, 0) }
        return switch channel {
        case .all: (1, 1)
        case .left: (1, 0)
        case .right: (0, 1)
        case .each: played / Int64(MixerInput.sampleRate) % 2 == 0 ? (1, 0) : (0, 1)
        }
    }

    private static func moved(_ gain: Float, to target: Float) -> Float {
        let step = 1 / Float(ToneGenerator.ramp)
        return gain < target ? min(target, gain + step) : max(target, gain - step)
    }

    /// Cosine and sine of a part of a turn, 0...0.5, by their series for an eighth of it and the formulas for the double
    /// angle; to about 1e-15.
    private static func turn(_ part: Double) -> (cosine: Double, sine: Double) {
        let angle = part * 2 * Double.pi / 8
        var (cosine, sine, term) = (0.0, 0.0, 1.0)
        for power in 0..<20 {
            let sign = power / 2 % 2 == 0 ? 1.0 : -1.0
            if power % 2 == 0 { cosine += sign * term } else { sine += sign * term }
            term *= angle / Double(power + 1)
        }
        for _ in 0..<3 { (cosine, sine) = (cosine * cosine - sine * sine, 2 * cosine * sine) }
        return (cosine, sine)
    }
}
