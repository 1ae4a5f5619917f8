// SPDX-License-Identifier: Apache-2.0
import Time

/// The starts of all boxes whose reports come to one reporter. They are kept in memory.
public struct StartWatches: Sendable {
    private var watches: [String: StartWatch] = [:]

    public init() {}

    /// - Parameter made: when a report was made by the box's clock; nil if that cannot be true.
    /// - Returns: what a sign of a clone says of the two starts, if their reports come in turns.
    public mutating func reported(_ boot: String, of box: String, made: WallTime?) -> String? {
        if watches.count >= Enrolments.mostBoxes, watches[box] == nil { watches = [:] }
        guard let starts = watches[box, default: StartWatch()].reported(boot, made: made) else { return nil }
        return [starts.0, starts.1].sorted().joined(separator: " and ")
    }

    public mutating func forget(_ box: String) { watches[box] = nil }
}
