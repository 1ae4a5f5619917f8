// SPDX-License-Identifier: Apache-2.0
import Time

/// A snapshot of the way from one clock to another: what converts between the two by itself, on any thread. A path made
/// later than a change has another `changeCount`; it goes through a `PublishedValue` to the threads that need it.
///
/// Ticks are rounded once, at the end of the path: to the nearest, and of two equally near ones to the later.
public struct ClockPath: Hashable, Sendable {
    /// From the first clock up to the nearest common ancestor of both.
    private let up: [ClockLink]
    /// From there down to the other clock.
    private let down: [ClockLink]
    /// Whether both clocks are available, with all their ancestors.
    public let isAvailable: Bool
    /// Sum of the change counts of both clocks when the path was made.
    public let changeCount: Int

    init(up: [ClockLink], down: [ClockLink], isAvailable: Bool, changeCount: Int) {
        self.up = up
        self.down = down
        self.isAvailable = isAvailable
        self.changeCount = changeCount
    }

    /// Ticks of the other clock at ticks of the first one. An unavailable clock converts by its last correlation.
    /// - Returns: nil if the way up contains a paused clock, or a value is beyond the range of ticks.
    /// - Thread: any; pure, no allocation.
    public func convert(_ ticks: Int64) -> Int64? {
        var position = TickPosition(ticks)
        for link in up {
            guard let next = link.parent(at: position) else { return nil }
            position = next
        }
        for link in down {
            guard let next = link.position(at: position) else { return nil }
            position = next
        }
        return position.rounded
    }

    /// The possible error of `convert`, without its rounding, in nanoseconds of the other clock: the sum of the errors
    /// of all clocks on the way. At most `Int64.max`, which stands for "nothing is known".
    /// - Returns: nil where `convert` returns nil.
    /// - Thread: any; pure, no allocation.
    public func bound(at ticks: Int64) -> Nanoseconds? {
        var position = TickPosition(ticks)
        var error = Nanoseconds.zero
        for link in up {
            guard let next = link.parent(at: position) else { return nil }
            position = next
            error = link.parents(error, at: position).addingClamped(link.bound(at: position))
        }
        for link in down {
            error = link.own(error.addingClamped(link.bound(at: position)), at: position)
            guard let next = link.position(at: position) else { return nil }
            position = next
        }
        return position.rounded == nil ? nil : error
    }
}
