// SPDX-License-Identifier: Apache-2.0
import Foundation

/// By how much one recording of a noise is later than another one of the same noise, by cross-correlation.
public struct SoundOffset: Sendable {
    /// Seconds that are added to a time of the first recording to have that of the second one.
    public let seconds: Double
    /// How alike the two are there, 0...1.
    public let likeness: Double

    /// Samples of one that are compared.
    private static let length = 12_000
    /// The first, coarse look takes the means of so many samples.
    private static let coarse = 12

    /// - Parameters:
    ///   - start: in seconds of the first recording.
    ///   - expected: what the offset should be.
    ///   - range: how far it may be from there, in seconds.
    /// - Returns: nil where either recording has no sound.
    public init?(
        _ first: WAVRecording, at start: Double, in second: WAVRecording, near expected: Double, within range: Double
    ) {
        let rate = first.sampleRate
        guard rate == second.sampleRate else { return nil }
        let begin = Int(start * Double(rate))
        let middle = Int((start + expected) * Double(rate))
        let reach = Int(range * Double(rate)) / Self.coarse * Self.coarse
        guard begin >= 0, begin + Self.length <= first.samples.count, middle - reach >= 0,
            middle + reach + Self.length <= second.samples.count
        else { return nil }
        let pattern = Array(first.samples[begin..<begin + Self.length])
        let place = Array(second.samples[middle - reach..<middle + reach + Self.length])
        let thin = (Self.thinned(pattern), Self.thinned(place))
        guard let rough = Self.best(thin.0, in: thin.1, 0..<thin.1.count - thin.0.count + 1) else { return nil }
        let about = rough.lag * Self.coarse
        let fine = max(0, about - 2 * Self.coarse)..<min(place.count - pattern.count, about + 2 * Self.coarse) + 1
        guard let best = Self.best(pattern, in: place, fine) else { return nil }
        seconds = Double(middle - reach + best.lag - begin) / Double(rate)
        likeness = best.likeness
    }

    private static func thinned(_ samples: [Float]) -> [Float] {
        (0..<samples.count / coarse).map { block in
            var sum: Float = 0
            for index in block * coarse..<(block + 1) * coarse { sum += samples[index] }
            return sum
        }
    }

    private static func best(
        _ pattern: [Float], in place: [Float], _ lags: Range<Int>
    ) -> (lag: Int, likeness: Double)? {
        let energy = power(pattern, 0, pattern.count)
        var best: (lag: Int, likeness: Double)?
        guard energy > 1e-6 else { return nil }
        pattern.withUnsafeBufferPointer { pattern in
            place.withUnsafeBufferPointer { place in
                for lag in lags {
                    var (product, other): (Float, Float) = (0, 0)
                    var index = 0
                    while index < pattern.count {
                        let sample = place[lag + index]
                        product += pattern[index] * sample
                        other += sample * sample
                        index += 1
                    }
                    let likeness = Double(product) / max(1e-9, (energy * Double(other)).squareRoot())
                    if likeness > best?.likeness ?? 0 { best = (lag, likeness) }
                }
            }
        }
        return best
    }

    private static func power(_ samples: [Float], _ from: Int, _ count: Int) -> Double {
        samples[from..<from + count].reduce(0) { $0 + Double($1) * Double($1) }
    }
}
