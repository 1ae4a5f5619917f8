// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Mixing

@Suite struct SumLimiterTests {
    @Test func whatStaysWithinFullScaleIsNotTouched() {
        var limiter = SumLimiter()
        var samples: [Float] = (0..<960).map { Float($0 % 201 - 100) / 100 }
        let before = samples
        samples.withUnsafeMutableBufferPointer { limiter.apply(to: $0) }
        #expect(samples == before)
    }

    @Test func nothingExceedsFullScaleAndTheLevelComesBack() {
        var limiter = SumLimiter()
        var loud: [Float] = (0..<960).map { $0 % 20 < 10 ? 3 : -3 }
        loud.withUnsafeMutableBufferPointer { limiter.apply(to: $0) }
        #expect(loud.allSatisfy { $0.magnitude <= 1.000_001 })
        var last: Float = 0
        for _ in 0..<300 {
            var quiet = [Float](repeating: 0.5, count: 960)
            quiet.withUnsafeMutableBufferPointer { limiter.apply(to: $0) }
            last = quiet[959]
        }
        #expect(last == 0.5)
    }
}
