// SPDX-License-Identifier: Apache-2.0

/// Level of sound in hundredths of a decibel relative to full scale: -12 000 (silence)...0, and above 0 before the
/// mixer's limiter. A sine of full scale has a peak of 0 and an RMS of -301.
public struct SoundLevel: Sendable, Hashable {
    public static let silence = -12_000

    public var peak: Int
    public var rms: Int

    public init(peak: Int = silence, rms: Int = silence) {
        self.peak = peak
        self.rms = rms
    }
}

extension Int {
    /// 1 000 log₁₀ of a power relative to that of full scale, within 0.01 dB; -12 000 for 10⁻¹² and less, and for NaN
    /// and infinity.
    static func centidecibels(ofPower power: Float) -> Int {
        guard power > 1e-12, power.isFinite else { return SoundLevel.silence }
        // ln m = 2 artanh((m - 1) / (m + 1)), where m is the significand, 1..<2.
        let part = (Double(power.significand) - 1) / (Double(power.significand) + 1)
        let square = part * part
        let series = part * (1 + square * (1 / 3 + square * (1 / 5 + square * (1 / 7 + square / 9))))
        let logarithm = Double(power.exponent) * 0.693_147_180_559_945 + 2 * series
        return Int((logarithm * 434.294_481_903_252).rounded())
    }
}
