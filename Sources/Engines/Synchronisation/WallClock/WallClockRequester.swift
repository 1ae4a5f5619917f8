// SPDX-License-Identifier: Apache-2.0
import Time

/// A wall clock client of DVB-CSS without its socket: it says when to send a request, takes the responses, and keeps the
/// server's wall clock.
///
/// It acquires with a burst of requests, steps the clock, and then asks when the dispersion has grown to what is wanted.
/// It slews the clock from then on, and when the server is lost lets it run with the drift it had, while the dispersion
/// grows.
///
/// A pure value. Instants are of the local clock, which is best not steered while the client runs, and do not decrease;
/// decreasing ones are survived, counted and, by more than a second, answered by acquiring anew.
public struct WallClockRequester: Sendable {
    public enum Action: Hashable, Sendable {
        /// Send a request with this originate time value. Requests differ in it.
        case send(originate: Monotonic)
        case report(Event)
    }

    public enum Event: Hashable, Sendable {
        /// The clock is known. It was not before, or the server is another one.
        case acquired
        /// The server is silent, or was so from the beginning. The clock runs on, less exact by the second.
        case lost
        /// The server answers again.
        case regained
        /// The server's clock has stepped. What the clock here did of it follows as `clockStepped`, if it did not slew.
        case serverStepped(by: Nanoseconds)
        case clockStepped(by: Nanoseconds)
    }

    public enum State: Hashable, Sendable { case acquiring, locked, lost }

    private static let toleratedStepBack = Nanoseconds.seconds(1)

    private let pacing: WallClockPacing
    private let local: ClockQuality
    public private(set) var state = State.acquiring
    /// Nil before it is acquired.
    public private(set) var clock: SlewedWallClock?
    public private(set) var counters = WallClockRequesterCounters()
    private var estimator: WallClockEstimator
    private var outstanding: [OutstandingRequest] = []
    private var latest: Monotonic
    private var lastSent: Monotonic?
    private var nextRequest: Monotonic
    private var lastHeard: Monotonic
    /// When acquisition ends, with what has come by then.
    private var acquiresAt: Monotonic
    /// Responses that the burst still waits for; 0 while requests are sparse.
    private var burst: Int
    /// Responses of those after the burst that are still waited for.
    private var settling: Int
    /// Whether the clock was acquired from this server.
    private var hasAcquired = false

    public init(local: ClockQuality, pacing: WallClockPacing = WallClockPacing(), at now: Monotonic) {
        self.local = local
        self.pacing = pacing
        estimator = WallClockEstimator(local: local)
        (latest, nextRequest, lastHeard) = (now, now, now)
        acquiresAt = now + pacing.acquisition
        (burst, settling) = (pacing.burst, pacing.settling)
    }

    /// What is known of the server's clock, before it is slewed.
    public var estimate: WallClockEstimate? { estimator.estimate }

    /// When to call `tick` next, if nothing else happens before.
    public var nextTick: Monotonic {
        var next = outstanding.map(\.deadline).min() ?? nextRequest
        if outstanding.count < pacing.mostOutstanding { next = min(next, nextRequest) }
        if state != .lost { next = min(next, lastHeard + pacing.silence) }
        if state == .acquiring, estimate != nil { next = min(next, acquiresAt) }
        return next
    }

    public mutating func tick(at now: Monotonic) -> [Action] {
        let now = advance(to: now)
        var actions = expire(at: now)
        if state != .lost, now.elapsed(since: lastHeard) >= pacing.silence {
            state = .lost
            counters.serversLost += 1
            actions.append(.report(.lost))
        }
        if state == .acquiring, now >= acquiresAt { actions += acquire(at: now) }
        if now >= nextRequest, outstanding.count < pacing.mostOutstanding { actions.append(send(at: now)) }
        return actions
    }

    /// The server has another address, or is another server: what is known of its clock is forgotten, and responses to
    /// former requests are not accepted. The clock runs on until the new one is acquired.
    public mutating func addressChanged(at now: Monotonic) -> [Action] {
        let now = advance(to: now)
        restart(at: now)
        return tick(at: now)
    }

    /// A request has left by the stamp of the kernel or of the interface.
    public mutating func requestSent(originate: Monotonic, at stamp: Monotonic) {
        guard let index = outstanding.firstIndex(where: { $0.originate == originate }) else { return }
        // A stamp cannot be before the request was made, nor after the response.
        let latest = outstanding[index].response?.received ?? stamp
        if stamp >= originate, stamp <= latest { outstanding[index].sent = stamp }
    }

    /// - Parameter arrival: the stamp of the kernel or of the interface.
    public mutating func responseReceived(_ message: WallClockResponse, at arrival: Monotonic) -> [Action] {
        let now = advance(to: arrival)
        guard let index = outstanding.firstIndex(where: { $0.originate == message.originate }) else {
            counters.responsesUnmatched += 1
            return []
        }
        var actions = heard(at: now)
        var request = outstanding[index]
        switch message.kind {
        case .followUp where request.response == nil:
            outstanding[index].followUp = message
            return actions
        case .followUp:
            actions += complete(index, followUp: message, at: now)
        case .response, .responseToBeFollowedUp:
            guard request.response == nil else {
                counters.responsesRepeated += 1
                return actions
            }
            request.response = (message, arrival)
            // A kernel's stamp of the request cannot be after that of the response; it was not of this request.
            if request.sent > arrival { request.sent = request.originate }
            request.deadline = now + pacing.followUpTimeout
            outstanding[index] = request
            if message.kind == .response || request.followUp != nil {
                actions += complete(index, followUp: message.kind == .response ? nil : request.followUp, at: now)
            }
        }
        return actions
    }

    // MARK: Requests

    private mutating func send(at now: Monotonic) -> Action {
        // The originate time value has 32 bits of seconds, and tells requests of one instant apart.
        let instant = WallClockInstant.representable.clamp(now.nanoseconds)
        let isTaken = outstanding.contains { $0.originate.nanoseconds == instant }
        let last = outstanding.map(\.originate.nanoseconds).max() ?? instant
        let originate = Monotonic(nanoseconds: isTaken ? WallClockInstant.representable.clamp(last &+ 1) : instant)
        counters.requests += 1
        outstanding.append(OutstandingRequest(originate: originate, deadline: now + pacing.timeout))
        lastSent = now
        schedule(at: now)
        return .send(originate: originate)
    }

    private mutating func schedule(at now: Monotonic) {
        let sent = lastSent ?? now
        let dispersion = estimate?.dispersion(at: now) ?? .zero
        let interval: Nanoseconds
        if state == .lost {
            interval = pacing.longestInterval
        } else if burst > 0 {
            interval = pacing.burstInterval
        } else if settling > 0, dispersion > pacing.wantedDispersion {
            interval = pacing.settlingInterval
        } else {
            interval = pacing.interval(estimate, dispersion: dispersion)
        }
        nextRequest = sent + interval
    }

    private mutating func expire(at now: Monotonic) -> [Action] {
        var actions: [Action] = []
        while let index = outstanding.firstIndex(where: { $0.deadline <= now }) {
            if outstanding[index].response != nil {
                counters.followUpsMissed += 1
                actions += complete(index, followUp: nil, at: now)
            } else {
                counters.timeouts += 1
                outstanding.remove(at: index)
            }
        }
        return actions
    }

    private mutating func heard(at now: Monotonic) -> [Action] {
        lastHeard = now
        guard state == .lost else { return [] }
        state = hasAcquired ? .locked : .acquiring
        acquiresAt = now + pacing.acquisition
        (burst, settling) = (pacing.burst, pacing.settling)
        return [.report(.regained)]
    }

    // MARK: Candidates

    private mutating func complete(_ index: Int, followUp: WallClockResponse?, at now: Monotonic) -> [Action] {
        let request = outstanding.remove(at: index)
        guard var candidate = request.candidate(followUp: followUp) else { return [] }
        if followUp != nil {
            if candidate.fault(local: local) == nil {
                counters.followUps += 1
            } else if let unrefined = request.candidate(followUp: nil) {
                candidate = unrefined
            }
        }
        var actions: [Action] = []
        if burst > 0 { burst -= 1 } else { settling = max(0, settling - 1) }
        switch estimator.add(candidate) {
        case .accepted: counters.candidatesAccepted += 1
        case .uninformative: counters.candidatesUninformative += 1
        case .suspected:
            // Another one is needed soon.
            counters.candidatesSuspected += 1
            burst = max(burst, 2)
        case .stepped(let span):
            counters.candidatesAccepted += 1
            counters.serverSteps += 1
            (burst, settling) = (pacing.burst, pacing.settling)
            if state != .acquiring { actions.append(.report(.serverStepped(by: span))) }
        case .refused: counters.candidatesRefused += 1
        }
        if state == .acquiring {
            if burst == 0 || now >= acquiresAt { actions += acquire(at: now) }
        } else {
            actions += follow(at: now)
        }
        schedule(at: now)
        return actions
    }

    private mutating func acquire(at now: Monotonic) -> [Action] {
        guard estimate != nil else { return [] }
        state = .locked
        hasAcquired = true
        return [.report(.acquired)] + follow(at: now)
    }

    private mutating func follow(at now: Monotonic) -> [Action] {
        guard let estimate else { return [] }
        guard clock != nil else {
            clock = SlewedWallClock(steppingTo: estimate, at: now)
            return []
        }
        guard let step = clock?.follow(estimate, at: now) else { return [] }
        counters.clockSteps += 1
        return [.report(.clockStepped(by: step))]
    }

    // MARK: Time

    /// - Returns: the instant, or the last one if that was a little later.
    private mutating func advance(to now: Monotonic) -> Monotonic {
        if latest.elapsed(since: now) > Self.toleratedStepBack {
            counters.localStepsBack += 1
            latest = now
            clock = nil
            restart(at: now)
        }
        latest = max(latest, now)
        return latest
    }

    private mutating func restart(at now: Monotonic) {
        estimator.reset()
        outstanding = []
        state = .acquiring
        hasAcquired = false
        (nextRequest, lastHeard, lastSent) = (now, now, nil)
        acquiresAt = now + pacing.acquisition
        (burst, settling) = (pacing.burst, pacing.settling)
    }
}

extension Range<Int64> {
    fileprivate func clamp(_ value: Int64) -> Int64 { Swift.max(lowerBound, Swift.min(upperBound - 1, value)) }
}
