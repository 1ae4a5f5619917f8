// SPDX-License-Identifier: Apache-2.0

/// A ring of stereo frames that wait to be played, addressed by ever growing positions. Memory is allocated once.
struct StereoRing: ~Copyable {
    let capacity: Int
    /// Position of the oldest frame that is kept.
    private(set) var start = 0
    /// Position after the newest frame.
    private(set) var end = 0
    private let memory: UnsafeMutablePointer<Float>

    /// - Parameter capacity: frames, a power of two.
    init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0)
        self.capacity = capacity
        memory = .allocate(capacity: capacity * 2)
        memory.initialize(repeating: 0, count: capacity * 2)
    }

    deinit { memory.deallocate() }

    var count: Int { end - start }
    var room: Int { capacity - count }

    /// - Parameter frames: interleaved stereo, at most `room` frames.
    mutating func append(_ frames: UnsafeBufferPointer<Float>) {
        let count = frames.count / 2
        precondition(count <= room)
        guard count > 0, let source = frames.baseAddress else { return }
        let place = end & (capacity - 1)
        let first = min(count, capacity - place)
        (memory + place * 2).update(from: source, count: first * 2)
        memory.update(from: source + first * 2, count: (count - first) * 2)
        end += count
    }

    /// Copies the oldest `count` frames, which stay in the ring; `count` is at most that of the ring.
    func copy(_ count: Int, to target: UnsafeMutablePointer<Float>) {
        precondition(count <= self.count)
        let place = start & (capacity - 1)
        let first = min(count, capacity - place)
        target.update(from: memory + place * 2, count: first * 2)
        (target + first * 2).update(from: memory, count: (count - first) * 2)
    }

    mutating func drop(_ count: Int) {
        precondition(count <= self.count)
        start += count
    }
}
