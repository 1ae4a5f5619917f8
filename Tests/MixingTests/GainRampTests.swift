// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Mixing

@Suite struct GainRampTests {
    private func level(_ ramp: inout GainRamp, periods: Int = 3) -> [Float] {
        var all: [Float] = []
        for _ in 0..<periods {
            var samples = [Float](repeating: 1, count: 960)
            samples.withUnsafeMutableBufferPointer { ramp.apply(to: $0) }
            all += samples
        }
        return all
    }

    /// G-20: volume 50 is -6 dB within half a decibel.
    @Test func volumeIsLinearInAmplitude() {
        for (volume, gain) in [(0, 0), (10, 0.1), (50, 0.5), (100, 1), (-5, 0), (300, 1)] as [(Int, Float)] {
            var ramp = GainRamp(volume: volume)
            #expect(level(&ramp).allSatisfy { abs($0 - gain) < 1e-6 })
        }
    }

    @Test func everyChangeTakesTenMillisecondsAndNoStep() {
        var ramp = GainRamp()
        for change in 0..<4 {
            switch change {
            case 0: ramp.isMuted = true
            case 1: ramp.isMuted = false
            case 2: ramp.volume = 20
            default: ramp.volume = 100
            }
            let all = level(&ramp)
            let left = stride(from: 0, to: all.count, by: 2).map { all[$0] }
            let largest = zip(left, left.dropFirst()).map { ($0 - $1).magnitude }.max() ?? 1
            #expect(largest < 0.0022)
            #expect(abs((all.last ?? -1) - [0, 1, 0.2, 1][change]) < 1e-6)
            #expect(left[480] == left.last)
        }
    }
}
