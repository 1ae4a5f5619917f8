// SPDX-License-Identifier: Apache-2.0
import Time

/// How well a session follows a timeline.
public struct SyncAccuracy: Hashable, Sendable {
    /// How late the session presents; negative if it is early. Filtered; nil while it is not known.
    public internal(set) var error: Nanoseconds?
    /// The possible error of `error`: of the clocks, and three standard deviations of the filter.
    public internal(set) var bound = Nanoseconds.zero
    /// The largest magnitude of `error` since the session was within the dead band first.
    public internal(set) var worst = Nanoseconds.zero
    /// The time for which the error was known.
    public internal(set) var observed = Nanoseconds.zero
    /// The part of `observed` in which the error was within the dead band.
    public internal(set) var inside = Nanoseconds.zero
    public internal(set) var jumps: UInt64 = 0
    /// Jumps that the session could not do, or did not report.
    public internal(set) var jumpsFailed: UInt64 = 0
    /// Corrections by rate.
    public internal(set) var adaptations: UInt64 = 0
    /// Parts per billion by which the session is played faster than normal.
    public internal(set) var rate: Int64 = 0
    /// Parts per billion by which the timeline was found to run faster than the session's clock.
    public internal(set) var drift: Int64 = 0
    var hasBeenInside = false

    public init() {}

    mutating func observe(_ error: Double, bound: Double, during span: Nanoseconds, deadBand: Double) {
        self.error = Nanoseconds(nearest: error)
        self.bound = Nanoseconds(nearest: bound)
        observed = observed + span
        if error.magnitude <= deadBand {
            inside = inside + span
            hasBeenInside = true
        }
        if hasBeenInside { worst = max(worst, Nanoseconds(nearest: error.magnitude)) }
    }
}
