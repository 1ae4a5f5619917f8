// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Delays of a request, in the server and of its response, in nanoseconds.
struct SimulatedNetwork: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let exchange: @Sendable (inout SplitMix64) -> (there: Int64, held: Int64, back: Int64)

    /// 1 ms each way, exponential 5 ms on top, and of 5 % of the exchanges one way takes 80 ms more.
    static let wifi = SimulatedNetwork(testDescription: "WiFi") { random in
        var there = 1_000_000 + exponential(5_000_000, &random)
        var back = 1_000_000 + exponential(5_000_000, &random)
        if random.percent(5) { if random.percent(50) { there += 80_000_000 } else { back += 80_000_000 } }
        return (there, 0, back)
    }

    /// 10 ms of jitter either way, of different kinds, and a way back that is longer by 0.2 ms.
    static let jitter = SimulatedNetwork(testDescription: "jitter") { random in
        let there = 500_000 + Int64.random(in: 0...10_000_000, using: &random)
        return (there, 20_000, 700_000 + min(10_000_000, exponential(3_000_000, &random)))
    }

    /// The loopback interface with stamps of a slow program on both sides, as pydvbcss has them: round trips of at least
    /// 150 µs, in the median 220 µs, with spikes to 4 ms.
    static let lateStamps = late(there: 70_000, back: 70_000, "late stamps")
    /// The same if the server is later than the client: half of the difference stays in each estimate.
    static let unevenStamps = late(there: 110_000, back: 30_000, "uneven stamps")

    /// The loopback interface with stamps of the kernel on both sides.
    static let kernelStamps = SimulatedNetwork(testDescription: "kernel's stamps") { random in
        let (there, back) = spiked(exponential(8_000, &random), exponential(8_000, &random), &random)
        return (12_000 + there, 30_000, 12_000 + back)
    }

    private static func late(there: Int64, back: Int64, _ name: String) -> SimulatedNetwork {
        SimulatedNetwork(testDescription: name) { random in
            let (more, otherMore) = spiked(
                exponential(25_000, &random) + exponential(25_000, &random),
                exponential(25_000, &random) + exponential(25_000, &random), &random)
            return (there + more, 5_000, back + otherMore)
        }
    }

    private static func spiked(_ there: Int64, _ back: Int64, _ random: inout SplitMix64) -> (Int64, Int64) {
        guard random.percent(1) else { return (there, back) }
        let spike = Int64.random(in: 0...4_000_000, using: &random)
        return random.percent(50) ? (there + spike, back) : (there, back + spike)
    }

    private static func exponential(_ mean: Double, _ random: inout SplitMix64) -> Int64 {
        Int64(-mean * log(1 - Double.random(in: 0..<1, using: &random)))
    }
}

/// The true offset of a server's clock over the local clock's time since the start.
struct SimulatedDrift: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// ns/s
    let greatest: Int64
    let offset: @Sendable (Int64) -> Int64

    static let none = constant(0)
    static let fast = constant(50_000)
    static let slow = constant(-50_000)
    /// 20 ± 5 ppm in a quarter of an hour.
    static let changing = SimulatedDrift(testDescription: "20 ± 5 ppm", greatest: 25_000) { time in
        let turn = 900e9 / (2 * Double.pi)
        return Int64(2e-5 * Double(time) + 5e-6 * turn * sin(Double(time) / turn))
    }

    static func constant(_ drift: Int64) -> SimulatedDrift {
        SimulatedDrift(testDescription: "\(drift / 1_000) ppm", greatest: abs(drift)) { time in
            time / 1_000_000 * drift / 1_000 + time % 1_000_000 * drift / 1_000_000_000
        }
    }
}
