// SPDX-License-Identifier: Apache-2.0

/// The sound of the test card: a beep of 1 kHz and 40 ms at the start of each second, else silence. It depends on the
/// sample's number alone.
public struct TestTone: Sendable {
    public static let sampleRate = 48_000
    public static let channels = 2
    /// Length of the beep, and of the card's flash.
    public static let milliseconds = 40

    /// One period of 1 kHz at -12 dB.
    private let period: [Float]

    public init() {
        // Rotating by 7.5 degrees 48 times makes a sine without libm.
        let (cosine, sine) = (0.991_444_861_373_810_4, 0.130_526_192_220_051_6)
        var (x, y) = (1.0, 0.0)
        var period: [Float] = []
        for _ in 0..<48 {
            period.append(Float(y * 0.25))
            (x, y) = (x * cosine - y * sine, x * sine + y * cosine)
        }
        self.period = period
    }

    /// Appends `frames` interleaved stereo frames, the first of which has the number `start`.
    public func append(from start: Int64, frames: Int, to samples: inout [Float]) {
        let beep = Int64(Self.sampleRate * Self.milliseconds / 1_000)
        for number in start..<start + Int64(frames) {
            let place = number % Int64(Self.sampleRate)
            let sample = place < beep ? period[Int(place % 48)] : 0
            samples.append(sample)
            samples.append(sample)
        }
    }
}
