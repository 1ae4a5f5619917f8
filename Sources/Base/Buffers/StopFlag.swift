// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Raised once, read by loops.
public final class StopFlag: Sendable {
    private let raised = Atomic<Bool>(false)

    public init() {}

    public var isRaised: Bool { raised.load(ordering: .acquiring) }

    public func raise() { raised.store(true, ordering: .releasing) }
}
