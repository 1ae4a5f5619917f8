// SPDX-License-Identifier: Apache-2.0
import Time

/// A clock of a simulated box: faster than true time by so many parts per million, and with an origin of its own. True
/// time is nanoseconds since the start of the simulation.
struct SimulatedCrystal {
    let ppm: Double
    var origin: Int64 = 0

    func reading(at time: Int64) -> Monotonic {
        Monotonic(nanoseconds: origin + time + Int64((Double(time) * ppm * 1e-6).rounded()))
    }

    /// The first true time at which the clock reads so much. A nanosecond less, and who waits for the reading would wait at
    /// this time for ever.
    func time(of reading: Monotonic) -> Int64 {
        let passed = Double(reading.nanoseconds - origin)
        var time = Int64((passed / (1 + ppm * 1e-6)).rounded())
        while self.reading(at: time) < reading { time += 1 }
        while self.reading(at: time - 1) >= reading { time -= 1 }
        return time
    }
}
