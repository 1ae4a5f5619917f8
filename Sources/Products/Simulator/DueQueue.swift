// SPDX-License-Identifier: Apache-2.0
import Time

/// When which of many boxes has something to do: a binary heap with one time for each box.
struct DueQueue {
    private var heap: [(due: Monotonic, box: Int)] = []
    /// By the number of the box. What the heap has with another time does not count any more.
    private var times: [Monotonic?]

    init(boxCount: Int) { times = Array(repeating: nil, count: boxCount) }

    mutating func set(_ box: Int, to due: Monotonic?) {
        guard times[box] != due else { return }
        times[box] = due
        guard let due else { return }
        heap.append((due, box))
        var index = heap.count - 1
        while index > 0, heap[index].due < heap[(index - 1) / 2].due {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// The next time at which a box has something to do.
    var next: Monotonic? {
        mutating get {
            while let first = heap.first, times[first.box] != first.due { removeFirst() }
            return heap.first?.due
        }
    }

    /// - Returns: a box that has something to do until then, with its time, which it has no more; nil if there is none.
    mutating func pop(until now: Monotonic) -> (due: Monotonic, box: Int)? {
        guard let due = next, due <= now, let first = heap.first else { return nil }
        removeFirst()
        times[first.box] = nil
        return first
    }

    private mutating func removeFirst() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < heap.count && heap[$0].due < heap[index].due }
            guard let child = children.min(by: { heap[$0].due < heap[$1].due }) else { return }
            heap.swapAt(index, child)
            index = child
        }
    }
}
