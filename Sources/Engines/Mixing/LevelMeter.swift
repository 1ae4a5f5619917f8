// SPDX-License-Identifier: Apache-2.0

/// Peak and RMS of the last 100...200 ms, both channels together.
struct LevelMeter {
    private struct Window {
        var peak: Float = 0
        var squares: Float = 0
        var samples = 0
    }

    /// Samples of both channels in 100 ms.
    private static let window = 9_600
    private var current = Window()
    private var previous = Window()

    /// - Parameter frames: interleaved stereo.
    mutating func add(_ frames: UnsafeBufferPointer<Float>) {
        // Of several lanes, since a sum in order is not made in parallel by the compiler.
        var (peaks, sums) = (SIMD8<Float>(), SIMD8<Float>())
        let lanes = SIMD8<Float>.scalarCount
        let whole = frames.count - frames.count % lanes
        for place in stride(from: 0, to: whole, by: lanes) {
            let samples = UnsafeRawPointer(frames.baseAddress.unsafelyUnwrapped + place)
                .loadUnaligned(as: SIMD8<Float>.self)
            peaks = pointwiseMax(peaks, pointwiseMax(samples, -samples))
            sums += samples * samples
        }
        var (peak, squares) = (max(current.peak, peaks.max()), current.squares + sums.sum())
        for sample in frames[whole...] {
            peak = max(peak, sample.magnitude)
            squares += sample * sample
        }
        current = Window(peak: peak, squares: squares, samples: current.samples + frames.count)
        guard current.samples >= Self.window else { return }
        previous = current
        current = Window()
    }

    var level: SoundLevel {
        let samples = current.samples + previous.samples
        guard samples > 0 else { return SoundLevel() }
        let peak = max(current.peak, previous.peak)
        let power = (current.squares + previous.squares) / Float(samples)
        return SoundLevel(peak: .centidecibels(ofPower: peak * peak), rms: .centidecibels(ofPower: power))
    }
}
