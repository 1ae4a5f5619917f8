// SPDX-License-Identifier: Apache-2.0

/// Tells its subscribers that an event was emitted, whatever emitted it.
/// - Thread: the control loop's only.
public final class EventSignal {
    private var subscribers: [() -> Void] = []

    public init() {}

    /// - Parameter handler: called after each event. It emits none itself.
    public func subscribe(_ handler: @escaping () -> Void) { subscribers.append(handler) }

    public func raise() { for subscriber in subscribers { subscriber() } }
}
