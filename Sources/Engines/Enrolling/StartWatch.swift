// SPDX-License-Identifier: Apache-2.0
import Time

/// Looks whether reports of one box come from two boxes: a box that starts again never returns to an earlier start.
/// Reports that waited say nothing: they were made before those that came earlier.
public struct StartWatch: Sendable {
    /// Returns after which it is told. A clock that was set back makes one look like it.
    static let mostReturns = 3
    /// Starts that are remembered.
    private static let mostStarts = 4

    private struct Start {
        let boot: String
        /// When its latest report was made, by the box's clock.
        var made: WallTime?
    }

    /// The one of the report that was made last, and those before, the latest first.
    private var starts: [Start] = []
    private var returns = 0

    public init() {}

    /// - Parameters:
    ///   - boot: whose report came: an ordinal, a hyphen and chance.
    ///   - made: when, by the box's clock; nil if that cannot be true. Then only starts with the same ordinal are compared,
    ///     which a box on its own never has.
    /// - Returns: the two starts, once they have come in turns often enough, and each time from then on.
    public mutating func reported(_ boot: String, made: WallTime?) -> (String, String)? {
        guard let current = starts.first else {
            starts = [Start(boot: boot, made: made)]
            return nil
        }
        if current.boot == boot {
            if let made, made > current.made ?? made { starts[0].made = made }
            if current.made == nil { starts[0].made = made }
            return nil
        }
        if let made, let last = current.made {
            guard made > last else { return nil }
        } else {
            guard boot.prefix(8) == current.boot.prefix(8) else {
                // Without times the greater ordinal is the later start.
                if boot > current.boot, !starts.contains(where: { $0.boot == boot }) { becomeCurrent(boot, made) }
                return nil
            }
        }
        let isReturn = starts.contains { $0.boot == boot }
        becomeCurrent(boot, made)
        guard isReturn else { return nil }
        returns = min(returns + 1, Self.mostReturns)
        return returns == Self.mostReturns ? (boot, current.boot) : nil
    }

    private mutating func becomeCurrent(_ boot: String, _ made: WallTime?) {
        starts.removeAll { $0.boot == boot }
        starts.insert(Start(boot: boot, made: made), at: 0)
        if starts.count > Self.mostStarts { starts.removeLast() }
    }
}
