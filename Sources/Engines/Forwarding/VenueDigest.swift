// SPDX-License-Identifier: Apache-2.0
import Reports
import Time

/// Knows the newest state of each box of a venue, and decides of which a region is told: those that changed in what matters
/// to it, and any other one when nothing was told of it for a while. It reads no clock.
///
/// After a start everything is told again. A region that already knows it is not harmed by that.
public struct VenueDigest: Sendable {
    /// Boxes that are known.
    public static let mostBoxes = 100_000

    private struct Known {
        var box: VenueBox
        /// What was told last: when the box had been heard, what mattered of its state, and when that was told; nil if
        /// nothing was.
        var told: (heard: WallTime, mark: Int, at: Monotonic)?
    }

    private let refresh: Nanoseconds
    private var known: [String: Known] = [:]

    /// - Parameter refresh: after this time a box that was heard is told of though nothing changed.
    public init(refresh: Nanoseconds = .seconds(60)) { self.refresh = refresh }

    public var boxCount: Int { known.count }

    /// Takes a state of a box. One that is no later than the last one changes nothing.
    /// - Returns: whether it is a new one.
    @discardableResult
    public mutating func take(_ box: VenueBox) -> Bool {
        guard let before = known[box.box] else {
            guard known.count < Self.mostBoxes else { return false }
            known[box.box] = Known(box: box)
            return true
        }
        guard box.heard > before.box.heard else { return false }
        known[box.box]?.box = box
        return true
    }

    /// Boxes that are to be told of, in the order of their ids.
    public func due(at now: Monotonic) -> [VenueBox] {
        known.values.filter { known in
            guard let told = known.told else { return true }
            return known.box.heard != told.heard
                && (now - told.at >= refresh || Self.mark(of: known.box) != told.mark)
        }.map(\.box).sorted { $0.box < $1.box }
    }

    /// The region has these.
    public mutating func told(_ boxes: [VenueBox], at now: Monotonic) {
        for box in boxes { known[box.box]?.told = (box.heard, Self.mark(of: box), now) }
    }

    /// How many boxes are in which state: `unknown` if they did not tell, `other` beyond the states that an overview has.
    public var states: [VenueReport.Overview.StateCount] {
        var counts: [String: Int64] = [:]
        for known in known.values { counts[known.box.state ?? "unknown", default: 0] += 1 }
        let sorted = counts.map { VenueReport.Overview.StateCount($0.key, $0.value) }.sorted { $0.state < $1.state }
        guard sorted.count > VenueReport.mostStates else { return sorted }
        let rest = sorted[(VenueReport.mostStates - 1)...].reduce(0) { $0 + $1.boxes }
        return sorted.prefix(VenueReport.mostStates - 1) + [VenueReport.Overview.StateCount("other", rest)]
    }

    /// Of what a change is told at once. Signals and counts always change.
    private static func mark(of box: VenueBox) -> Int {
        var hasher = Hasher()
        for text in [box.name, box.group, box.version, box.state, box.accessPoint] { hasher.combine(text) }
        hasher.combine(box.reasons)
        hasher.combine(box.linkIndicator)
        return hasher.finalize()
    }
}
