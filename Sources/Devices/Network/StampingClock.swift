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

    private let step: LatestValue<Step>?

    /// The machine's own.
    public init() { step = nil }

    package init(_ step: LatestValue<Step>) { self.step = step }

    func now() -> WallTime { stamp(SystemClock.wall()) }

    /// - Parameter time: a stamp of the kernel's.
    func stamp(_ time: WallTime) -> WallTime { step?.value.applied(to: time) ?? time }
}
