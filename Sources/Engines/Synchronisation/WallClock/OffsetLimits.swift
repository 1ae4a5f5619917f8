// SPDX-License-Identifier: Apache-2.0
import Time

/// Limits of the offset on one side, each by one candidate at one local instant: those that a straight line can touch
/// first. A limit becomes less strict with the square of its age, because the drift changes; adding the square of the
/// time keeps the order of what is on the convex hull, so a limit that is hidden once is hidden for ever.
struct OffsetLimits {
    enum Side { case upper, lower }

    struct Limit: Hashable {
        let instant: Monotonic
        let offset: Int64
    }

    /// Limits of one side that are kept; the newest on the hull. The more precise a network is, the more there are.
    static let most = 64
    /// Older ones say nothing: they allow 14 ms more than when they were new.
    private static let longestAge = Nanoseconds.seconds(600)
    /// How fast the drift is expected to change, in ns/s²: 0.08 ppm a second. Crystals that warm up are slower. Half of
    /// it would follow 5 ppm in ten minutes badly; twice as much costs precision where delays are short.
    private static let wander = 80.0

    let side: Side
    /// Ascending by instant.
    private(set) var limits: [Limit] = []

    init(_ side: Side) { self.side = side }

    mutating func removeAll() { limits.removeAll(keepingCapacity: true) }

    /// Adds a limit of one more candidate. One that is older than the newest is left out, which loses little.
    mutating func add(_ limit: Limit) {
        if let last = limits.last {
            guard limit.instant >= last.instant else { return }
            if limit.instant == last.instant {
                let isStricter = side == .upper ? limit.offset < last.offset : limit.offset > last.offset
                guard isStricter else { return }
                limits.removeLast()
            }
        }
        limits.append(limit)
        while limits.count >= 3, isHidden(limits.count - 2) { limits.remove(at: limits.count - 2) }
        let surplus = max(0, limits.count - Self.most)
        let old = limits.firstIndex { limit.instant.elapsed(since: $0.instant) <= Self.longestAge } ?? 0
        limits.removeFirst(max(surplus, old))
    }

    /// Forgets all limits up to this instant but the newest.
    mutating func forget(upTo instant: Monotonic) {
        let kept = limits.firstIndex { $0.instant > instant } ?? limits.count - 1
        limits.removeFirst(max(0, kept))
    }

    /// The half-plane of a limit at `now`: offsets from `base` and drifts p with normal · p <= limit.
    func halfPlane(_ limit: Limit, base: Int64, at now: Monotonic) -> (normal: SIMD2<Double>, limit: Double) {
        let seconds = Double(limit.instant.elapsed(since: now).count) / 1e9
        let slack = Self.wander * seconds * seconds / 2
        let offset = Double(limit.offset &- base)
        return side == .upper ? (SIMD2(1, seconds), offset + slack) : (SIMD2(-1, -seconds), slack - offset)
    }

    /// Whether the limits before and after this one are stricter for each straight line.
    private func isHidden(_ index: Int) -> Bool {
        let newest = limits[index + 1]
        func point(_ limit: Limit) -> SIMD2<Double> {
            let (normal, value) = halfPlane(limit, base: newest.offset, at: newest.instant)
            return SIMD2(side == .upper ? normal.y : -normal.y, value)
        }
        let (before, after) = (point(limits[index - 1]), point(newest))
        let own = point(limits[index])
        return (own.y - before.y) * (after.x - before.x) >= (after.y - before.y) * (own.x - before.x)
    }
}
