// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A cell of which only the newest value matters: settings, correlation, volume. Its lock is held for one copy.
public final class LatestValue<Value: Sendable>: Sendable {
    // The value is beside its lock, not in it: Debian's Swift 6.0.3 crashes on a Mutex of a generic class's own
    // parameter.
    @usableFromInline let lock = Mutex(())
    @usableFromInline nonisolated(unsafe) var held: Value

    @inlinable
    public init(_ value: Value) { held = value }

    @inlinable public var value: Value { lock.withLock { _ in held } }

    @inlinable
    public func set(_ value: Value) { lock.withLock { _ in held = value } }
}
