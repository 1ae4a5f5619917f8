// SPDX-License-Identifier: Apache-2.0
import Time

/// The boxes' time: as fast as real time, but faster while an outage lasts.
struct SimulatedClock {
    /// Both from the start of the run.
    private var real = Nanoseconds.zero
    private(set) var simulated = Nanoseconds.zero
    private let outage: Range<Nanoseconds>?
    private let speed: Int64

    init(outage: Range<Nanoseconds>?, speed: Int64) { (self.outage, self.speed) = (outage, speed) }

    var isInOutage: Bool { outage?.contains(simulated) ?? false }

    /// How far the boxes' time will be ahead of real time at the end.
    var lead: Nanoseconds {
        outage.map { Nanoseconds(($0.upperBound - $0.lowerBound).count / speed * (speed - 1)) } ?? .zero
    }

    /// - Parameter real: not before that of the last call.
    mutating func advance(to real: Nanoseconds) {
        var rest = max(.zero, real - self.real)
        self.real = max(real, self.real)
        guard let outage else {
            simulated = simulated + rest
            return
        }
        if simulated < outage.lowerBound {
            let step = min(rest, outage.lowerBound - simulated)
            (simulated, rest) = (simulated + step, rest - step)
        }
        if outage.contains(simulated) {
            let left = outage.upperBound - simulated
            let step = min(rest, Nanoseconds((left.count + speed - 1) / speed))
            (simulated, rest) = (simulated + min(left, step * speed), rest - step)
        }
        simulated = simulated + rest
    }
}
