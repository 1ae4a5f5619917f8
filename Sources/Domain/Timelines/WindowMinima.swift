// SPDX-License-Identifier: Apache-2.0
import Time

/// The smallest sample of each second: of the newest `capacity` seconds that had samples, and of the current one.
public struct WindowMinima: Sendable {
    struct Sample: Sendable, Equatable {
        var time: Monotonic
        var value: Nanoseconds
    }

    static let length = Nanoseconds.seconds(1)
    static let capacity = 64

    private(set) var current: Sample?
    private var start = Monotonic(nanoseconds: 0)
    private var ring = [Sample](repeating: Sample(time: Monotonic(nanoseconds: 0), value: .zero), count: capacity)
    private var next = 0
    /// Number of closed windows.
    private(set) var count = 0

    public init() {}

    /// Whether a sample of this instant begins a new window.
    public func isOver(at time: Monotonic) -> Bool { current != nil && time - start >= Self.length }

    public mutating func close() {
        guard let current else { return }
        ring[next] = current
        next = (next + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
        self.current = nil
    }

    public mutating func add(_ value: Nanoseconds, at time: Monotonic) {
        guard let least = current else {
            start = time
            current = Sample(time: time, value: value)
            return
        }
        if value < least.value { current = Sample(time: time, value: value) }
    }

    /// - Parameter age: 0 is the newest closed window, `count - 1` the oldest.
    subscript(age: Int) -> Sample { ring[(next - 1 - age + 2 * Self.capacity) % Self.capacity] }

    /// Drops all but the newest windows.
    mutating func keep(newest: Int) { count = min(count, newest) }

    public mutating func removeAll() {
        count = 0
        current = nil
    }

    /// The smallest value of all windows, the current one included; nil if there is no sample.
    public var least: Nanoseconds? {
        var result = current?.value
        for age in 0..<count { result = min(result ?? self[age].value, self[age].value) }
        return result
    }
}
