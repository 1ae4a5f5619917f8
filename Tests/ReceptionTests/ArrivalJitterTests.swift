// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Reception

@Suite struct ArrivalJitterTests {
    private static let start = Monotonic(nanoseconds: 5_000_000_000)

    @Test func anEvenFlowHasNone() {
        var jitter = ArrivalJitter(clockRate: 90_000)
        for index in 0..<1_000 {
            let stamp = UInt32.max - 4_500 &+ UInt32(index) &* 900  // over the end of the stamps
            jitter.packetReceived(timestamp: stamp, at: Self.start + .milliseconds(Int64(index) * 10))
        }
        #expect(jitter.mean == .zero && jitter.takePeak() == .zero)
    }

    /// J += (|D| - J) / 16, by the RFC's own words, over random arrivals.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func followsTheFormula(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var jitter = ArrivalJitter(clockRate: 90_000)
        var (expected, peak) = (0.0, 0.0)
        var before: Double?
        for index in 0..<2_000 {
            let late = Int64.random(in: 0..<20_000_000, using: &random)
            jitter.packetReceived(
                timestamp: UInt32(index) * 1_800, at: Self.start + .milliseconds(Int64(index) * 20) + Nanoseconds(late))
            if let before {
                let difference = abs(Double(late) - before)
                expected += (difference - expected) / 16
                peak = max(peak, difference)
            }
            before = Double(late)
        }
        #expect(abs(Double(jitter.mean.count) - expected) < 10)
        #expect(abs(Double(jitter.takePeak().count) - peak) < 2)
        #expect(jitter.takePeak() == .zero)
    }

    @Test func anotherSenderIsNoJitter() {
        var jitter = ArrivalJitter(clockRate: 8_000)
        jitter.packetReceived(timestamp: 0, at: Self.start)
        jitter.restart()
        jitter.packetReceived(timestamp: 7_000, at: Self.start + .milliseconds(1))
        jitter.packetReceived(timestamp: 7_008, at: Self.start + .milliseconds(2))
        jitter.packetReceived(timestamp: 0x8000_0000, at: Self.start + .milliseconds(3))
        #expect(jitter.mean == .zero && jitter.takePeak() == .zero)
    }
}
