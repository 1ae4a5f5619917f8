// SPDX-License-Identifier: Apache-2.0
import Time

/// Where random-access points lie in the history: a ring of the newest, in order of arrival.
struct PointIndex: Sendable {
    private var entries: [(position: Int, arrival: Monotonic)] = []
    private let capacity: Int
    private var next = 0

    init(capacity: Int) {
        self.capacity = capacity
        entries.reserveCapacity(capacity)
    }

    mutating func add(position: Int, arrival: Monotonic) {
        if entries.count < capacity {
            entries.append((position, arrival))
        } else {
            entries[next] = (position, arrival)
        }
        next = (next + 1) % capacity
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        next = 0
    }

    /// Positions before `first` have given way.
    func last(atOrBefore time: Monotonic, from first: Int) -> Int? {
        for distance in 1...max(1, entries.count) where !entries.isEmpty {
            let entry = entries[(next - distance + 2 * entries.count) % entries.count]
            guard entry.position >= first else { return nil }
            if entry.arrival <= time { return entry.position }
        }
        return nil
    }
}
