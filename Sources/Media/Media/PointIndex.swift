// SPDX-License-Identifier: Apache-2.0
import Time

/// The positions of random-access points in the history: a ring of the newest ones, in the order of their storing.
struct PointIndex: Sendable {
    struct Entry: Sendable {
        var position: Int
        var arrival: Monotonic
    }

    private var entries: [Entry] = []
    private let capacity: Int
    private var next = 0

    init(capacity: Int) {
        self.capacity = capacity
        entries.reserveCapacity(capacity)
    }

    mutating func add(position: Int, arrival: Monotonic) {
        let entry = Entry(position: position, arrival: arrival)
        if entries.count < capacity {
            entries.append(entry)
        } else {
            entries[next] = entry
        }
        next = (next + 1) % capacity
    }

    /// The newest entry that arrived at or before `time`; nil if none is kept.
    /// - Parameter first: oldest position that is kept; records before it are overwritten.
    func last(atOrBefore time: Monotonic, from first: Int) -> Entry? {
        for age in 0..<entries.count {
            let entry = entry(age)
            guard entry.position >= first else { return nil }
            if entry.arrival <= time { return entry }
        }
        return nil
    }

    /// The oldest entry at or after position `first`; nil if there is none.
    func first(from first: Int) -> Entry? {
        var kept = 0
        var gone = entries.count
        while kept < gone {
            let middle = (kept + gone) / 2
            if entry(middle).position >= first { kept = middle + 1 } else { gone = middle }
        }
        return kept > 0 ? entry(kept - 1) : nil
    }

    /// - Parameter age: index from the newest entry, which is 0.
    private func entry(_ age: Int) -> Entry { entries[(next - 1 - age + 2 * capacity) % capacity] }
}
