// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A cell of which only the newest value matters: settings, correlation, volume. Held for the length of a copy.
public final class LatestValue<Value: Sendable>: Sendable {
    private let cell: Mutex<Value>

    public init(_ value: Value) { cell = Mutex(value) }

    public var value: Value { cell.withLock { $0 } }

    public func set(_ value: Value) { cell.withLock { $0 = value } }
}
