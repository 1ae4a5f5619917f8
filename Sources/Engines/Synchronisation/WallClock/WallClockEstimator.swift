// SPDX-License-Identifier: Apache-2.0
import Time

/// Estimates offset and drift of a server's wall clock by the local clock, from measured candidates.
///
/// *The dispersion.* Each candidate says in which interval the offset lies. With time an interval grows by the greatest
/// frequency error of both clocks. The true offset lies in all intervals, so it lies in their intersection, which is
/// kept. This assumes what the clocks say of themselves and nothing else: no delay is too long or too uneven for it.
///
/// *The estimate.* Each candidate is also two limits for the line of the offset over time: below t2 - t1 at t1, above
/// t3 - t4 at t4, both less strict with age because drifts change. The lines that keep all limits are a polygon in the
/// plane of offset and drift, and its centroid is the estimate. If delays of both directions are exponential with one
/// mean, as queues make them, all lines of the polygon are equally likely, so nothing has a lesser mean square error. If
/// they are not, a polygon is narrow by the shortest delays of each direction, whatever the others are: a long delay of
/// one direction does no harm, and leaves the other direction's limit useful.
///
/// *Why this one.* Compared in simulated time: four runs of 300 s for each network and course of the drift, pydvbcss'
/// pacing, frequency errors of 500 ppm each; median and 99th percentile of |error| in µs:
///
///     network, drift                     lowest dispersion   regression   Kalman      this
///     WiFi, -50 ppm                      592, 3197           336, 1352    102, 794    57, 440
///     WiFi, 20 ± 5 ppm in 15 min         611, 3115           336, 1352    100, 785    60, 376
///     WiFi, lasting bursts, -50 ppm      549, 3268           352, 1433    101, 866    60, 450
///     late stamps, -50 ppm                30, 115              5, 160       4, 21      4, 26
///     late stamps, 20 ± 5 ppm             18, 88              10, 88        5, 21      6, 23
///     kernel's stamps, -50 ppm            25, 64               2, 75        1, 4       1, 4
///     kernel's stamps, 20 ± 5 ppm         11, 35               8, 35        1, 4       1, 4
///
/// Regression is that of the quarter with the shortest round trips of the last 64 candidates; of 32 it is worse on WiFi,
/// of 128 it follows no drift. The Kalman filter's states are offset and drift, its noise a quarter of what the round
/// trip exceeds the shortest by, and its drift wanders by 0.2 ppm in a second; others of five settings were worse in one
/// network or the other. It is as good where delays are short, but on WiFi the errors are not of the shape that it
/// expects, and it would need its settings for each network. No filter sees a constant difference of the shortest delays
/// of both directions; half of it remains as an error, within the dispersion.
///
/// *Steps.* A candidate that contradicts the intersection is suspected and not used. If the next that contradicts it too
/// agrees with the suspected one, the server's clock was stepped (or has slept), and all before is forgotten.
///
/// A pure value; any candidates may be given.
public struct WallClockEstimator: Sendable {
    public enum Outcome: Hashable, Sendable {
        case accepted
        /// Refused: its round trip was so long that it says nothing that is not known.
        case uninformative
        /// Refused: it contradicts the others, and none has confirmed it yet.
        case suspected
        /// Accepted: it confirms the suspected one. The estimate has changed by this at the candidate's instant.
        case stepped(by: Nanoseconds)
        case refused(WallClockCandidate.Fault)
    }

    /// Crystals are within this of each other, nanoseconds a second. Larger drifts are considered only if no smaller
    /// one explains the candidates: after a few of them drift is hardly known.
    private static let likelyDrift: Int64 = 100_000
    /// A suspicion that nothing has confirmed is forgotten after this many accepted candidates.
    private static let suspicionLasts = 8

    private let local: ClockQuality
    private var interval: OffsetInterval?
    private var suspected: Suspicion?
    private var uppers = OffsetLimits(.upper)
    private var lowers = OffsetLimits(.lower)
    /// Nil before the first candidate.
    public private(set) var estimate: WallClockEstimate?

    private struct Suspicion {
        var interval: OffsetInterval
        let candidate: WallClockCandidate
        var age = 0
    }

    /// - Parameter local: the clock of t1 and t4; plausible.
    public init(local: ClockQuality) {
        precondition(local.isPlausible)
        self.local = local
    }

    /// Forgets everything: the server is another one.
    public mutating func reset() { self = WallClockEstimator(local: local) }

    public mutating func add(_ candidate: WallClockCandidate) -> Outcome {
        if let fault = candidate.fault(local: local) { return .refused(fault) }
        let error = candidate.server.frequencyError.relative(to: local.frequencyError)
        let measured = candidate.interval(local: local, error: error)
        guard let known = interval else {
            accept(candidate, interval: measured, error: error)
            return .accepted
        }
        // A response may be overtaken by a later one.
        let now = max(known.instant, measured.instant)
        let (moved, own) = (known.moved(to: now, error: error), measured.moved(to: now, error: error))
        let doubt = suspected?.interval.moved(to: now, error: error).intersection(own)
        guard let common = moved.intersection(own) else {
            guard let doubt, let first = suspected?.candidate else {
                suspected = Suspicion(interval: own, candidate: candidate)
                return .suspected
            }
            return .stepped(by: step(to: doubt, confirming: first, by: candidate, error: error))
        }
        suspected?.age += 1
        if let doubt, let age = suspected?.age, age < Self.suspicionLasts {
            suspected?.interval = doubt
        } else {
            suspected = nil
        }
        guard !own.contains(moved) else { return .uninformative }
        accept(candidate, interval: common, error: error)
        return .accepted
    }

    private mutating func step(
        to interval: OffsetInterval, confirming first: WallClockCandidate, by second: WallClockCandidate,
        error: FrequencyError
    ) -> Nanoseconds {
        let before = estimate?.offset(at: interval.instant) ?? 0
        uppers.removeAll()
        lowers.removeAll()
        suspected = nil
        limit(by: first)
        accept(second, interval: interval, error: error)
        return Nanoseconds((estimate?.offset(at: interval.instant) ?? 0) &- before)
    }

    private mutating func accept(_ candidate: WallClockCandidate, interval: OffsetInterval, error: FrequencyError) {
        self.interval = interval
        limit(by: candidate)
        estimate = solve(interval, error)
    }

    private mutating func limit(by candidate: WallClockCandidate) {
        let precision = (candidate.server.precision + local.precision).count
        let (sent, received) = (candidate.requestSent, candidate.responseReceived)
        uppers.add(
            .init(
                instant: sent,
                offset: candidate.requestReceived.nanoseconds &- sent.nanoseconds &+ precision))
        lowers.add(
            .init(
                instant: received,
                offset: candidate.responseSent.nanoseconds &- received.nanoseconds &- precision))
    }

    // MARK: Estimating

    private mutating func solve(_ interval: OffsetInterval, _ error: FrequencyError) -> WallClockEstimate {
        let width = Double(interval.upper &- interval.lower)
        let possible = error.nanosecondsPerSecond
        var (polygon, contradicted) = lines(width: width, drift: min(possible, Self.likelyDrift), interval)
        if contradicted != nil, possible > Self.likelyDrift {
            (polygon, contradicted) = lines(width: width, drift: possible, interval)
        }
        // The drift has changed faster than expected: what is older than the contradiction is forgotten.
        if let contradicted {
            uppers.forget(upTo: contradicted)
            lowers.forget(upTo: contradicted)
        }
        let centre = polygon.centroid
        // Longer exchanges than ten seconds are refused; a late one may be wider, but only if nothing else is known.
        let isUsable = (0..<1e15).contains(width) && centre.x.isFinite && centre.y.isFinite
        let offset = isUsable ? Int64(max(0, min(width, centre.x)).rounded()) : interval.upper / 2 &- interval.lower / 2
        let drift = isUsable ? Int64(centre.y.rounded()) : 0
        return WallClockEstimate(
            instant: interval.instant, offset: interval.lower &+ offset, drift: max(-possible, min(possible, drift)),
            frequencyError: error, interval: interval)
    }

    /// The lines that keep the limits, from the newest limit to the oldest.
    /// - Returns: the polygon, and the instant of the first limit that contradicts newer ones; nil if none does.
    private func lines(
        width: Double, drift: Int64, _ interval: OffsetInterval
    ) -> (OffsetPolygon, contradicted: Monotonic?) {
        let drift = Double(drift)
        var polygon = OffsetPolygon(offset: 0...max(0, width), drift: -drift...drift)
        var (upper, lower) = (uppers.limits.count - 1, lowers.limits.count - 1)
        while upper >= 0 || lower >= 0 {
            let takesUpper =
                lower < 0 || (upper >= 0 && uppers.limits[upper].instant >= lowers.limits[lower].instant)
            let side = takesUpper ? uppers : lowers
            let limit = side.limits[takesUpper ? upper : lower]
            if takesUpper { upper -= 1 } else { lower -= 1 }
            let (normal, value) = side.halfPlane(limit, base: interval.lower, at: interval.instant)
            guard polygon.keep(normal, atMost: value) else { return (polygon, limit.instant) }
        }
        return (polygon, nil)
    }
}
