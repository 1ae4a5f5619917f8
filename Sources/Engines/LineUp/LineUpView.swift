// SPDX-License-Identifier: Apache-2.0

/// The line-up of a box, which all its parts read. Only the part that receives announcements changes it.
/// - Thread: the control loop's only.
public final class LineUpView {
    public var current: LineUp
    private var subscribers: [([LineUpChange]) -> Void] = []

    public init(_ lineUp: LineUp) { current = lineUp }

    /// - Parameter handler: called with changes after `current` has them, in the order of subscription.
    public func subscribe(_ handler: @escaping ([LineUpChange]) -> Void) { subscribers.append(handler) }

    /// Tells the subscribers what has changed.
    public func tell(_ changes: [LineUpChange]) {
        guard !changes.isEmpty else { return }
        for subscriber in subscribers { subscriber(changes) }
    }
}
