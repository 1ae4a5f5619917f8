// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Mixing

@Suite struct LevelMeterTests {
    @Test func aSquareOfFullScaleIsZeroDecibels() {
        var meter = LevelMeter()
        #expect(meter.level == SoundLevel())
        for _ in 0..<30 { (0..<960).map { $0 % 40 < 20 ? 1 : -1 }.withUnsafeBufferPointer { meter.add($0) } }
        #expect(meter.level == SoundLevel(peak: 0, rms: 0))
        for _ in 0..<30 { [Float](repeating: 0.5, count: 960).withUnsafeBufferPointer { meter.add($0) } }
        #expect(meter.level == SoundLevel(peak: -602, rms: -602))
        for _ in 0..<30 { [Float](repeating: 0, count: 960).withUnsafeBufferPointer { meter.add($0) } }
        #expect(meter.level == SoundLevel())
    }

    @Test func decibelsAreRightToAHundredth() {
        for (power, expected) in [
            (1, 0), (10, 1_000), (0.1, -1_000), (0.5, -301), (2, 301), (0.001_234, -2_909), (0, -12_000),
            (.nan, -12_000), (.infinity, -12_000),
        ] as [(Float, Int)] {
            #expect(abs(Int.centidecibels(ofPower: power) - expected) <= 1, "\(power)")
        }
    }
}
