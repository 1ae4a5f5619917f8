// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides when a television is told when a session presents: at once if it would have to wait for another time than it
/// was told, else once in an interval.
public struct PresentationPacing: Sendable {
    public static let interval = Nanoseconds.seconds(1)
    /// A change of what is needed that is worth a message.
    private static let change = Nanoseconds.milliseconds(5)

    private var told: (needs: Nanoseconds, at: Monotonic)?

    public init() {}

    /// - Parameter needs: how much later the television would have to present, so that the session can present with it;
    ///   negative: how much earlier it could.
    public mutating func isDue(needs: Nanoseconds, at now: Monotonic) -> Bool {
        if let told, now - told.at < Self.interval {
            // What it need not wait for is not urgent.
            let (before, after) = (max(.zero, told.needs), max(.zero, needs))
            guard (after - before).magnitude >= Self.change else { return false }
        }
        told = (needs, now)
        return true
    }
}
