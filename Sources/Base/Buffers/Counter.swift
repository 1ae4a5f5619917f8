// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A counter that one thread updates and others read.
public final class Counter: Sendable {
    private let cell = Atomic<Int64>(0)

    public init() {}

    public var value: Int64 { cell.load(ordering: .relaxed) }

    public func add(_ amount: Int64 = 1) { cell.wrappingAdd(amount, ordering: .relaxed) }

    public func set(_ value: Int64) { cell.store(value, ordering: .relaxed) }
}
