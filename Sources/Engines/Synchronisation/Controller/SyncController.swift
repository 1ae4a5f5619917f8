// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines

/// Holds a session to a timeline (CSS-01): of a television or of another box, whatever the session plays.
///
/// It is told how late the session presents, several times a second, and says by which rate and jumps this is corrected.
/// It knows neither player nor protocol. Differences of the clocks are learnt and followed by rate alone, so that a
/// session stays where it is within the dead band and does not swing between its edges.
///
/// The owner performs the actions in their order and answers each `.jump` by `jumped` or `cannotJump`. A session that
/// has a play-out delay D makes it shorter by rate × elapsed time, or by a jump.
///
/// A pure value. Instants that decrease count as the last one.
public struct SyncController: Sendable {
    public enum Action: Hashable, Sendable {
        /// Play this much faster than normal from now on; negative: slower.
        case setRate(partsPerBillion: Int64)
        /// Present what comes so much later in the medium; negative: earlier.
        case jump(by: Nanoseconds)
        /// Let the picture stand for this long, so that what comes is presented later. It is answered as a jump is, when
        /// the owner's measurement has it.
        case putOff(by: Nanoseconds)
        /// Hold the session. Nothing to do if it is held.
        case pause
        /// Let the session play. Nothing to do if it plays (CSS-18).
        case play
        case report(SyncControllerState)
    }

    public let configuration: SyncConfiguration
    /// Relates the medium to the timeline (CSS-06 and CSS-07): the timeline is the parent, and by this the owner knows
    /// what the session should present.
    public private(set) var correlation: ClockCorrelation
    public private(set) var state = SyncControllerState.initialised
    public internal(set) var accuracy = SyncAccuracy()

    var timeline = SyncTimeline.unavailable
    var now: Monotonic
    var filter: ErrorFilter
    var steering: RateSteering
    var correction = SyncCorrection()
    private var isStarted = false
    /// Whether it was this controller that paused the session.
    private var isHolding = false
    /// When a session without a timeline is paused.
    private var pausesAt: Monotonic?
    /// Whether the session was where it shall be when the timeline was lost. The timeline may come again from another
    /// server, whose clock differs a little: nobody shall see that.
    private var wasHeld = false

    public init(_ configuration: SyncConfiguration, correlation: ClockCorrelation, at now: Monotonic) {
        self.configuration = configuration
        self.correlation = correlation
        self.now = now
        filter = ErrorFilter(leader: configuration.leader)
        steering = RateSteering(at: now)
    }

    /// When to call `tick(at:)` at the latest. Nil while nothing is waited for.
    public var nextTick: Monotonic? {
        var next = [steering.nextTick, pausesAt].compactMap { $0 }
        if isStarted { next += correction.deadlines }
        return next.min()
    }

    // MARK: Inputs

    /// Begins to hold the session to the timeline, now or as soon as that is available. Nothing if it does so already
    /// (CSS-20).
    public mutating func start(at now: Monotonic) -> [Action] {
        var actions = advance(to: now)
        guard !isStarted else { return actions }
        isStarted = true
        wasHeld = false
        filter = ErrorFilter(leader: configuration.leader)
        actions += timeline == .unavailable ? loseTimeline(rate: 0) : follow()
        return actions
    }

    /// Leaves the session alone; it plays on, at normal rate after a moment.
    public mutating func stop(at now: Monotonic) -> [Action] {
        var actions = advance(to: now)
        guard isStarted else { return actions }
        isStarted = false
        pausesAt = nil
        correction = SyncCorrection()
        filter.forgetError()
        accuracy.error = nil
        steering.target = 0
        actions += play(unlessPlaying: true)
        actions += become(.stopped)
        return actions
    }

    /// The timeline is available, and moves at this speed. Call it with each new control timestamp that says something
    /// new.
    public mutating func timelineMoves(at speed: ClockSpeed, at now: Monotonic) -> [Action] {
        var actions = advance(to: now)
        let before = timeline
        timeline = SyncTimeline(speed: speed, otherSpeeds: configuration.otherSpeeds)
        guard isStarted else { return actions }
        if before == .unavailable {
            actions += become(.syncTimelineAvailable)
            actions += follow()
        } else if before.isKindOf(timeline) {
            reconsider()
        } else {
            actions += follow()
        }
        return actions
    }

    /// The timeline is not available any more: the content is another one, or the wall clock or the server is lost.
    public mutating func timelineLost(at now: Monotonic) -> [Action] {
        var actions = advance(to: now)
        guard timeline != .unavailable else { return actions }
        let rate = freeRate
        wasHeld = timeline.isFollowed && !correction.isAcquiring && accuracy.hasBeenInside
        timeline = .unavailable
        if isStarted { actions += loseTimeline(rate: rate) }
        return actions
    }

    /// The medium is related to the timeline in another way from now on (CSS-07).
    public mutating func correlate(_ correlation: ClockCorrelation, at now: Monotonic) -> [Action] {
        let actions = advance(to: now)
        guard correlation != self.correlation else { return actions }
        self.correlation = correlation
        filter.forgetError()
        reconsider()
        return actions
    }

    /// - Parameters:
    ///   - error: how late the session presents; negative: how early.
    ///   - bound: the possible error of the clocks through which `error` was measured.
    ///   - now: when it was measured.
    public mutating func measured(error: Nanoseconds, bound: Nanoseconds, at now: Monotonic) -> [Action] {
        var actions = advance(to: now)
        guard isStarted, timeline.isFollowed, correction.jump == nil else { return actions }
        take(measured: error, bound: bound)
        actions += correct()
        actions += steer()
        return actions
    }

    /// Nothing can be measured now: nobody is told what was measured before.
    public mutating func notMeasured(at now: Monotonic) -> [Action] {
        accuracy.error = nil
        return advance(to: now)
    }

    /// The session has jumped and presents again. What was measured before is not told any more.
    public mutating func jumped(at now: Monotonic) -> [Action] {
        var actions = advance(to: now)
        guard correction.jump != nil else { return actions }
        accuracy.jumps += 1
        actions += endJump()
        // Before a wait the rate is settled as it is asked for; a jump may fail, so its rate is settled here.
        actions += told(steering.settle())
        return actions
    }

    /// The session cannot jump by as much as was asked for.
    /// - Parameter reachable: how far it could jump: back by what its history holds, forward to live; nil: not at all.
    public mutating func cannotJump(reachable: ClosedRange<Nanoseconds>?, at now: Monotonic) -> [Action] {
        var actions = advance(to: now)
        guard let asked = correction.jump else { return actions }
        accuracy.jumpsFailed += 1
        actions += settleForLess(than: asked, reachable: reachable)
        return actions
    }

    public mutating func tick(at now: Monotonic) -> [Action] {
        var actions = advance(to: now)
        if let pausesAt, pausesAt <= self.now {
            self.pausesAt = nil
            actions += pause()
        }
        if isStarted { actions += expire() }
        return actions
    }

    // MARK: States

    /// Follows the timeline from the beginning, as it moves now.
    private mutating func follow() -> [Action] {
        pausesAt = nil
        correction = SyncCorrection()
        correction.isAcquiring = !wasHeld
        correction.handedOver = wasHeld ? now : nil
        wasHeld = false
        filter.forgetError()
        accuracy.error = nil
        guard timeline.isFollowed else { return pause() + become(.paused) }
        steering.target = freeRate
        return play(unlessPlaying: false) + become(.running)
    }

    /// - Parameter rate: the one to hold, parts per billion (CSS-17).
    private mutating func loseTimeline(rate: Double) -> [Action] {
        correction = SyncCorrection()
        filter.forgetError()
        accuracy.error = nil
        steering.target = rate
        let actions = become(.syncTimelineUnavailable)
        switch configuration.withoutTimeline {
        case .freeRun: return actions + play(unlessPlaying: true)
        case .pause(let patience):
            if !isHolding { pausesAt = now + max(.zero, patience) }
            return actions
        }
    }

    private mutating func play(unlessPlaying: Bool) -> [Action] {
        guard isHolding || !unlessPlaying else { return [] }
        isHolding = false
        return [.play]
    }

    private mutating func pause() -> [Action] {
        guard !isHolding else { return [] }
        isHolding = true
        wasHeld = false
        let hadRate = steering.rate != 0
        steering.rest()
        accuracy.rate = 0
        return hadRate ? [.pause, .setRate(partsPerBillion: 0)] : [.pause]
    }

    mutating func become(_ next: SyncControllerState) -> [Action] {
        guard next != state else { return [] }
        state = next
        return [.report(next)]
    }

    // MARK: Time

    /// - Returns: the change of the rate that is due.
    private mutating func advance(to now: Monotonic) -> [Action] {
        self.now = max(self.now, now)
        if isHolding { steering.rest() }
        steering.advance(to: self.now)
        let (seconds, gained) = steering.take()
        filter.advance(seconds: seconds, gained: gained - seconds * Double(timeline.faster))
        return steer()
    }

    private mutating func steer() -> [Action] { told(steering.steer()) }

    /// - Parameter hasChanged: whether the rate has.
    mutating func told(_ hasChanged: Bool) -> [Action] {
        guard hasChanged else { return [] }
        accuracy.rate = steering.rate
        return [.setRate(partsPerBillion: steering.rate)]
    }
}
