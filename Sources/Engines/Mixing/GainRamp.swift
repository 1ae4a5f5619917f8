// SPDX-License-Identifier: Apache-2.0

/// Applies volume and mute, changing the gain gradually: from 0 to 1 takes 10 ms. Volume is linear in amplitude: 100 is
/// 0 dB, 50 is -6.02 dB, 10 is -20 dB, 0 is silence.
struct GainRamp {
    /// Change of the gain per frame.
    private static let step: Float = 1 / 480

    var volume: Int {
        didSet { volume = max(0, min(100, volume)) }
    }
    var isMuted: Bool
    private var gain: Float

    /// Begins with the gain of `volume` and `isMuted`, without a ramp.
    init(volume: Int = 100, isMuted: Bool = false) {
        self.volume = max(0, min(100, volume))
        self.isMuted = isMuted
        gain = 0
        gain = target
    }

    private var target: Float { isMuted ? 0 : Float(volume) / 100 }

    /// - Parameter frames: interleaved stereo.
    mutating func apply(to frames: UnsafeMutableBufferPointer<Float>) {
        var index = 0
        let target = target
        while index + 1 < frames.count && gain != target {
            gain = gain < target ? min(target, gain + Self.step) : max(target, gain - Self.step)
            frames[index] *= gain
            frames[index + 1] *= gain
            index += 2
        }
        guard gain != 1 else { return }
        while index < frames.count {
            frames[index] *= gain
            index += 1
        }
    }
}
