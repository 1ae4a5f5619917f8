// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc
import Time

/// The only place that reads a clock.
public enum SystemClock {
    public static func monotonic() -> Monotonic { Monotonic(nanoseconds: read(CLOCK_MONOTONIC)) }

    public static func wall() -> WallTime { WallTime(nanoseconds: read(CLOCK_REALTIME)) }

    /// How long the machine has been suspended since it booted. Each comparison of the two clocks is too large by the time
    /// between their readings; the least of several is true.
    public static var suspended: Nanoseconds {
        let spans = (0..<5).map { _ in
            let monotonic = read(CLOCK_MONOTONIC)
            return read(CLOCK_BOOTTIME) - monotonic
        }
        return Nanoseconds(max(0, spans.min() ?? 0))
    }

    /// How far apart two readings are that are meant for one instant: the median time that three readings take, of which
    /// the middle one is of the wall clock.
    public static func measuredPrecision() -> Nanoseconds {
        let spans = (0..<101).map { _ in
            let start = monotonic()
            _ = wall()
            return monotonic() - start
        }
        return max(Nanoseconds(1), spans.sorted()[spans.count / 2])
    }

    /// Whether something that knows the time has set the wall clock and keeps it (adjtimex(2), `STA_UNSYNC`). Where the
    /// kernel must not be asked, it counts as set.
    public static var isSynchronised: Bool { state?.isSynchronised ?? true }

    /// What the kernel says of its own clock (adjtimex(2)).
    public struct State: Equatable, Sendable {
        public let isSynchronised: Bool
        /// By how much the clock is still to be moved.
        public let offset: Nanoseconds
        /// How wrong the clock may be; it grows until the clock is compared again.
        public let bound: Nanoseconds

        public init(isSynchronised: Bool, offset: Nanoseconds, bound: Nanoseconds) {
            self.isSynchronised = isSynchronised
            self.offset = offset
            self.bound = bound
        }
    }

    /// nil where the kernel must not be asked.
    public static var state: State? {
        var (offset, bound): (Int64, Int64) = (0, 0)
        let isSynchronised = touchline_clock_state(&offset, &bound)
        guard isSynchronised >= 0 else { return nil }
        return State(isSynchronised: isSynchronised != 0, offset: Nanoseconds(offset), bound: Nanoseconds(bound))
    }

    /// Sleeps until `instant`; a signal does not end the sleep early.
    public static func sleep(until instant: Monotonic) {
        let nanoseconds = max(0, instant.nanoseconds)
        var deadline = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nil) == EINTR {}
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var instant = timespec()
        clock_gettime(clock, &instant)
        return Int64(instant.tv_sec) * 1_000_000_000 + Int64(instant.tv_nsec)
    }
}
