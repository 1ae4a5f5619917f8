// SPDX-License-Identifier: Apache-2.0
import Time

/// A programme of a channel.
public struct Programme: Hashable, Sendable {
    public var title: String
    /// Start and stop are nil if they are not known.
    public var start: WallTime?
    public var stop: WallTime?

    public init(title: String, start: WallTime?, stop: WallTime?) {
        self.title = title
        self.start = start
        self.stop = stop
    }
}
