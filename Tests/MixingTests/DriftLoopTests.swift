// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Mixing

@Suite struct DriftLoopTests {
    /// The sound between decoder and loudspeaker: what is corrected now is heard 150 ms later, in steps of 1 ppm.
    private struct Path {
        var loop = DriftLoop()
        var error = 0.0  // nanoseconds
        var onTheWay = [Int](repeating: 0, count: 15)
        var largestError = 0.0
        var largestCorrection = 0
        var step = 0

        mutating func run(seconds: Int, speed: Double, jitter: (Int) -> Double = { _ in 0 }) {
            for _ in 0..<seconds * 100 {
                let heard = Double(onTheWay[step % 15] / 954 * 954)
                error -= (speed * 1_000 + heard) / 100
                loop.update(
                    error: Nanoseconds(Int64(error + jitter(step))), over: Nanoseconds.milliseconds(10))
                onTheWay[step % 15] = loop.correction
                step += 1
                largestError = max(largestError, abs(error))
                largestCorrection = max(largestCorrection, abs(loop.correction))
            }
        }
    }

    @Test(arguments: [-100.0, 100.0]) func sixHoursOfASenderWhoseClockIsWrong(speed: Double) {
        var path = Path()
        var random = SplitMix64(seed: 1)
        path.run(seconds: Effort.scaled(6 * 3_600), speed: speed) { _ in .random(in: -500_000...500_000, using: &random)
        }
        #expect(path.largestError < 500_000)
        #expect(abs(path.error) < 100_000)
        #expect(path.largestCorrection < 1_000_000)
    }

    @Test(arguments: [-39_000_000.0, 39_000_000]) func anErrorIsGoneWithinTwentySeconds(nanoseconds: Double) {
        var path = Path()
        path.error = nanoseconds
        path.run(seconds: 20, speed: 0)
        #expect(abs(path.error) < 1_000_000)
        #expect(path.largestError <= abs(nanoseconds) + 1)
        #expect(path.largestCorrection == 5_000_000)
        path.run(seconds: 20, speed: 0)
        #expect(abs(path.error) < 20_000)
    }

    /// The stream's clock steps while it acquires. What is corrected is not heard at once, and is not learnt.
    @Test(arguments: [-4_000_000.0, 4_000_000]) func aStepOfTheClockIsGoneWithinThreeSeconds(nanoseconds: Double) {
        var path = Path()
        path.run(seconds: 20, speed: 50)
        path.error += nanoseconds
        path.loop.clockStepped(by: Nanoseconds(Int64(nanoseconds)))
        path.run(seconds: 3, speed: 50)
        #expect(path.largestError < abs(nanoseconds) + 10_000)
        path.largestError = 0
        path.run(seconds: 30, speed: 50)
        #expect(path.largestError < 300_000)
        #expect(abs(path.error) < 20_000)
    }

    @Test func speedIsRememberedOverARestart() {
        var path = Path()
        path.run(seconds: 60, speed: 80)
        path.loop.restart()
        #expect(abs(path.loop.correction + 80_000) < 2_000)
    }
}
