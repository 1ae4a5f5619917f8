// SPDX-License-Identifier: Apache-2.0
import Time

/// One of a channel's broadcasts.
public struct Programme: Hashable, Sendable {
    public var title: String
    /// Nil: not said.
    public var start: WallTime?
    public var stop: WallTime?

    public init(title: String, start: WallTime?, stop: WallTime?) {
        self.title = title
        self.start = start
        self.stop = stop
    }
}
