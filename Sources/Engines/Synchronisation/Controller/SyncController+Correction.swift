// SPDX-License-Identifier: Apache-2.0
import Time

/// What is done about an error.
extension SyncController {
    private enum Correction {
        /// An error is corrected as e^(-t/τ) with τ = 1 s, unless the greatest rate is less. So the rate falls by no
        /// more than it may change in a second, and the session arrives without overshooting.
        static let timeConstant = 1.0
        /// Nanoseconds: not even to acquire does a session jump by less, since rate takes no longer than a second.
        static let leastJump = 2e6
        /// Parts per billion: a trim that differs by less is not worth a command.
        static let leastTrim = 5_000.0
        /// Seconds: within the dead band an error of boxes is corrected as e^(-t/τ).
        static let trimConstant = 1.2
        /// Nanoseconds: what is further off is heard, and is no noise. It is corrected twice as fast, as behind a tune.
        static let audible = 2.5e5
        static let audibleTrimConstant = 0.6
        /// The same for so long after another box has taken over the timeline.
        static let handOverTrimConstant = 8.0
        static let handOver = Nanoseconds.seconds(15)
    }

    private var jumpsAlone: Bool { configuration.strategy == .seek || timeline == .chased }

    /// What a box measures of itself is exact. If it seems not to be, the timeline has moved meanwhile.
    private var uncertainty: Double {
        let isBox = configuration.leader == .box
        return max(correction.bound, isBox ? min(filter.uncertainty, Correction.leastJump) : filter.uncertainty)
    }

    private var deadBand: Double { configuration.deadBand(uncertainty: uncertainty) }

    /// The rate at which the error does not change, as far as known; parts per billion.
    var freeRate: Double { jumpsAlone ? 0 : limited(Double(timeline.faster) + filter.drift) }

    private func limited(_ rate: Double) -> Double {
        let most = Double(max(0, min(5_000, configuration.greatestRate))) * 1_000
        return max(-most, min(most, rate))
    }

    /// Within the dead band. The bound of a clock is far from what it is usually wrong by, and boxes beside each other
    /// would be heard to differ by it: so they approach the timeline further. When another box has taken over the
    /// timeline, the session is where the clock of the one before has brought it in a long time, and the clock of the new
    /// one is wrong by a millisecond at first: so it is approached slowly. Of eight boxes in simulated time sound is apart
    /// by 0.1 to 0.2 ms in the median (`BoxesTogetherTests`).
    private mutating func trim(_ error: Double) {
        guard configuration.leader == .box else { return steering.target = freeRate }
        let isNew = correction.handedOver.map { now < $0 + Correction.handOver } ?? false
        let usual = error.magnitude > Correction.audible ? Correction.audibleTrimConstant : Correction.trimConstant
        let constant = isNew ? Correction.handOverTrimConstant : usual
        let target = limited(freeRate + error / constant)
        if (target - steering.target).magnitude >= Correction.leastTrim { steering.target = target }
    }

    mutating func take(measured error: Nanoseconds, bound: Nanoseconds) {
        let span = correction.measured.map { min(SyncCorrection.silence, now.elapsed(since: $0)) } ?? .zero
        correction.measured = now
        correction.bound = max(0, Double(bound.count))
        let furthest = 1e18
        correction.latest = max(
            -furthest, min(furthest, Double(error.count) + Double(configuration.outputDelay.count)))
        // How a timeline drifts that is chased says nothing about its clock.
        if timeline == .chased { filter.forgetError() }
        filter.add(correction.latest)
        accuracy.drift = Int64(filter.drift)
        guard filter.isKnown else { return }
        accuracy.observe(
            filter.error, bound: correction.bound + filter.uncertainty, during: span, deadBand: deadBand)
    }

    /// Considers what was measured.
    mutating func correct() -> [Action] {
        if jumpsAlone { return considerJump() }
        // A doubtful measurement changes nothing.
        guard filter.isKnown else { return [] }
        let (error, deadBand) = (filter.error, deadBand)
        let threshold =
            correction.isAcquiring ? Correction.leastJump : Double(configuration.jumpThreshold.count)
        if error.magnitude - correction.bound > max(threshold, deadBand), correction.mayJump(by: error, at: now) {
            return jump(by: error)
        }
        let edge = correction.isAdapting ? deadBand * max(0, min(1, configuration.hysteresis)) : deadBand
        guard error.magnitude > edge else {
            correction.succeed()
            trim(error)
            return become(.running)
        }
        if !correction.isAdapting { accuracy.adaptations += 1 }
        correction.isAdapting = true
        steering.target = limited(freeRate + error / Correction.timeConstant)
        return become(.synchronising)
    }

    /// Follows by jumps alone: one in an interval, and one at once when the timeline has changed.
    private mutating func considerJump() -> [Action] {
        guard timeline == .chased || filter.isKnown else { return [] }
        if let considered = correction.considered, now < considered { return [] }
        correction.considered = now + configuration.interval
        let error = timeline == .chased ? correction.latest : filter.error
        return error.magnitude > deadBand ? jump(by: error) : become(.running)
    }

    private mutating func jump(by error: Double) -> [Action] {
        let span = Nanoseconds(nearest: error)
        correction.jump(by: span, at: now)
        steering.target = freeRate
        // Boxes go back together by standing together, whatever each of their histories holds.
        let waits = configuration.leader == .box && mayWait(for: .zero - span)
        return become(.synchronising) + (waits ? putOff(by: .zero - span) : [.jump(by: span)])
    }

    /// A rate by which the error was corrected before would lead away from where the session is put.
    private mutating func putOff(by span: Nanoseconds) -> [Action] {
        told(steering.settle()) + [.putOff(by: span)]
    }

    private func mayWait(for span: Nanoseconds) -> Bool {
        !jumpsAlone && span > .zero && span <= configuration.longestWait
    }

    /// The session cannot jump as far. What is behind the history is waited for, if that does not take long. Otherwise
    /// the session jumps as far as it can, if it is near the timeline then; it does not go to and fro at the edge of a
    /// history that moves on.
    mutating func settleForLess(
        than asked: SyncCorrection.Jump, reachable: ClosedRange<Nanoseconds>?
    ) -> [Action] {
        if !asked.isLess, let reachable {
            let best = max(reachable.lowerBound, min(reachable.upperBound, asked.span))
            let rest = asked.span - best
            if rest < .zero, mayWait(for: .zero - asked.span) {
                correction.jumpLess(by: asked.span, at: now)
                return putOff(by: .zero - asked.span)
            }
            let (span, left) = (Double(asked.span.count), Double(rest.count))
            let isWorthIt = span.magnitude - left.magnitude > max(deadBand, Correction.leastJump)
            if isWorthIt, rest >= .zero || mayWait(for: .zero - rest) {
                correction.jumpLess(by: best, at: now)
                return [.jump(by: best)]
            }
        }
        // What has not been reached is still to be acquired, as soon as it can be.
        let acquires = correction.isAcquiring
        let actions = giveUpJump()
        correction.isAcquiring = acquires
        correction.refused(asked.span)
        return actions
    }

    private mutating func giveUpJump() -> [Action] {
        correction.endJump()
        return jumpsAlone ? become(.running) : []
    }

    /// The session has jumped, or nobody knows: where it is now has to be measured.
    mutating func endJump() -> [Action] {
        filter.forgetError()
        accuracy.error = nil
        return giveUpJump()
    }

    /// The timeline has changed. A jump is considered at once.
    mutating func reconsider() {
        correction.allowJumps()
        if jumpsAlone { filter.forgetError() }
        if !correction.isAdapting { steering.target = freeRate }
    }

    /// Ends what waits for too long.
    mutating func expire() -> [Action] {
        if let jump = correction.jump, jump.asked + SyncCorrection.jumpTimeout <= now {
            accuracy.jumpsFailed += 1
            return endJump()
        }
        if correction.isAdapting, let measured = correction.measured, measured + SyncCorrection.silence <= now {
            correction.isAdapting = false
            steering.target = freeRate
        }
        return []
    }
}

extension Nanoseconds {
    /// - Parameter value: finite; one that is too large counts as 31 years.
    init(nearest value: Double) { self.init(Int64(max(-1e18, min(1e18, value.rounded())))) }
}
