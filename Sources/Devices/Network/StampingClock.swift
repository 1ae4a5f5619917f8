// SPDX-License-Identifier: Apache-2.0
import Buffers
import System
import Time

/// The wall clock by which the kernel stamps datagrams. A test steps it for one box without setting that of the machine.
public struct StampingClock: Sendable {
    /// What a test adds to readings and stamps.
    package struct Step: Sendable {
        private var before = Nanoseconds.zero
        private var after = Nanoseconds.zero
        private var instant = WallTime(nanoseconds: .min)

        package init() {}

        /// - Parameter instant: the machine's wall clock when this one is stepped.
        package func stepped(by span: Nanoseconds, at instant: WallTime) -> Step {
            var next = self
            (next.before, next.after, next.instant) = (after, after + span, instant)
            return next
        }

        func applied(to time: WallTime) -> WallTime {
            WallTime(nanoseconds: time.nanoseconds &+ (time < instant ? before : after).count)
        }
    }

    /// The longest time that two readings of the clocks may take for stamps to be converted by them exactly.
    private static let longestPair = Nanoseconds.microseconds(2)

    private let step: LatestValue<Step>?

    /// The machine's own.
    public init() { step = nil }

    package init(_ step: LatestValue<Step>) { self.step = step }

    func now() -> WallTime { stamp(SystemClock.wall()) }

    /// Reads it right after and right before the monotonic clock, and once more if something came in between.
    func paired() -> (wall: WallTime, earlier: Monotonic, later: Monotonic) {
        var best = reading()
        for _ in 0..<3 where best.later - best.earlier > Self.longestPair {
            let next = reading()
            if next.later - next.earlier < best.later - best.earlier { best = next }
        }
        return best
    }

    private func reading() -> (wall: WallTime, earlier: Monotonic, later: Monotonic) {
        let earlier = SystemClock.monotonic()
        let wall = now()
        return (wall, earlier, SystemClock.monotonic())
    }

    /// - Parameter time: a stamp of the kernel's.
    func stamp(_ time: WallTime) -> WallTime { step?.value.applied(to: time) ?? time }
}
