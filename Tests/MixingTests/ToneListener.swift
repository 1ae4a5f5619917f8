// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Hears the left channel of a tone at 48 kHz: clicks, frequency, phase.
struct ToneListener {
    let frequency: Double
    /// Samples heard.
    private(set) var count = 0
    /// Largest deviation of a sample from what follows from the two before in a tone; a click is far above 0.01.
    private(set) var roughness: Float = 0
    private(set) var peak: Float = 0
    private(set) var silentSamples = 0
    private var before: (Float, Float) = (0, 0)
    private let factor: Float
    private var upwards: (first: Double, last: Double, count: Int)?

    init(frequency: Double = 1_000) {
        self.frequency = frequency
        factor = Float(2 * cos(2 * .pi * frequency / 48_000))
    }

    /// Of the tone since the last `restart`, from its passages through 0.
    var measuredFrequency: Double {
        guard let upwards, upwards.count > 1 else { return 0 }
        return Double(upwards.count - 1) * 48_000 / (upwards.last - upwards.first)
    }

    /// Sample of the last passage through 0 upwards.
    var lastPassage: Double? { upwards?.last }

    mutating func hear(_ samples: [Float]) {
        samples.withUnsafeBufferPointer { samples in
            var index = 0
            while index < samples.count {
                hear(samples[index])
                index += 2
            }
        }
    }

    /// Forgets what was measured, not what was heard last.
    mutating func restart() {
        (roughness, peak, silentSamples, upwards) = (0, 0, 0, nil)
    }

    private mutating func hear(_ sample: Float) {
        roughness = max(roughness, (before.0 - factor * before.1 + sample).magnitude)
        peak = max(peak, sample.magnitude)
        if sample == 0 { silentSamples += 1 }
        if before.1 < 0 && sample >= 0 {
            let place = Double(count) - Double(sample / (sample - before.1))
            upwards = (upwards?.first ?? place, place, (upwards?.count ?? 0) + 1)
        }
        before = (before.1, sample)
        count += 1
    }
}
