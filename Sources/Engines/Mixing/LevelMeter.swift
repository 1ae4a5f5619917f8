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
        // The compiler vectorizes neither in its plain form. So magnitudes are compared by their bit patterns, which
        // have the same order, and squares are summed in lanes.
        var peak = current.peak.bitPattern
        for sample in frames { peak = max(peak, sample.magnitude.bitPattern) }
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
            peak: Float(bitPattern: peak), squares: squares, samples: current.samples + frames.count)
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
