// SPDX-License-Identifier: Apache-2.0

/// The line on which a clock runs against its parent, through one point that both share.
struct ClockLine: Hashable, Sendable, BitwiseCopyable {
    let parentPoint: TickPosition
    let point: TickPosition
    /// Own ticks for each tick of the parent at normal speed.
    let ratio: TickRatio
    let speed: ClockSpeed

    /// The own place at a place of the parent; nil if it is beyond the range of ticks.
    func position(at parent: TickPosition) -> TickPosition? {
        parentPoint.distance(to: parent).scaled(by: ratio, speed.ratio).flatMap { way in
            point.moved(by: way, backwards: (parent < parentPoint) != isReverse)
        }
    }

    /// The parent's place at an own place; nil if it is beyond the range of ticks, and for a paused clock, which stands
    /// at one place for many of the parent's.
    func parent(at position: TickPosition) -> TickPosition? {
        guard let ratio = ratio.inverse, let slowness = speed.ratio.inverse else { return nil }
        return point.distance(to: position).scaled(by: ratio, slowness).flatMap { way in
            parentPoint.moved(by: way, backwards: (position < point) != isReverse)
        }
    }

    /// Parent's time for each time of this clock, without its sign; one if it is paused.
    var slowness: TickRatio { speed.ratio.inverse ?? .one }

    private var isReverse: Bool { speed.partsPerBillion < 0 }
}
