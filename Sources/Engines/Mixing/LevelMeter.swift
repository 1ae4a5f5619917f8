// SPDX-License-Identifier: Apache-2.0

/// Peak and RMS of the last 100...200 ms, of both channels together.
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
        // In lanes, because the compiler does not reorder a sum of floating-point numbers.
        var sums = SIMD8<Float>()
        let whole = frames.count - frames.count % sums.scalarCount
        for place in stride(from: 0, to: whole, by: sums.scalarCount) {
            let samples = UnsafeRawBufferPointer(frames)
                .loadUnaligned(fromByteOffset: place * MemoryLayout<Float>.stride, as: SIMD8<Float>.self)
            sums += samples * samples
        }
        var squares = current.squares + sums.sum()
        for sample in frames[whole...] { squares += sample * sample }
        current = Window(
            peak: max(current.peak, frames.peak), squares: squares, samples: current.samples + frames.count)
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

extension UnsafeBufferPointer<Float> {
    /// The largest magnitude of the samples; 0 of none.
    var peak: Float {
        // By the bit patterns, which have the order of the magnitudes: the compiler vectorizes no comparison of
        // floating-point numbers, and the oldest amd64 processors compare only integers with a sign several at a time.
        var peak: Int32 = 0
        for sample in self { peak = Swift.max(peak, Int32(bitPattern: sample.magnitude.bitPattern)) }
        return Float(bitPattern: UInt32(bitPattern: peak))
    }
}
