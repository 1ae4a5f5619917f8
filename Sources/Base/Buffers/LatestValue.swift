// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A cell of which only the newest value matters: settings, correlation, volume. Held for the length of a copy.
public final class LatestValue<Value: Sendable>: Sendable {
    // Beside its lock, not in it: Debian's 6.0.3 crashes on a Mutex of a generic class's own parameter.
    @usableFromInline let lock = Mutex(())
    @usableFromInline nonisolated(unsafe) var held: Value

    @inlinable
    public init(_ value: Value) { held = value }

    @inlinable public var value: Value { lock.withLock { _ in held } }

    @inlinable
    public func set(_ value: Value) { lock.withLock { _ in held = value } }
}
