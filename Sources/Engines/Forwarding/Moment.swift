// SPDX-License-Identifier: Apache-2.0
import Time

/// One instant by both clocks.
public struct Moment: Sendable {
    public let now: Monotonic
    /// nil while nobody has set the wall clock. A report that is made then has no time.
    public let wall: WallTime?

    public init(_ now: Monotonic, _ wall: WallTime?) {
        self.now = now
        self.wall = wall
    }
}
