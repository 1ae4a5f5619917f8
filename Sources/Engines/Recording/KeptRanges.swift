// SPDX-License-Identifier: Apache-2.0

/// The ranges of a datagram that are recorded, in ascending order. Its memory is taken in `init`.
struct KeptRanges: ~Copyable {
    private let ranges: UnsafeMutableBufferPointer<(start: Int, end: Int)>
    private(set) var count = 0
    /// Sum of the lengths.
    private(set) var octets = 0

    /// Ranges of one datagram at most. What would be one too many is joined to the last.
    static let most = 255

    init() {
        ranges = .allocate(capacity: Self.most)
        ranges.initialize(repeating: (0, 0))
    }

    deinit { ranges.deallocate() }

    subscript(index: Int) -> (start: Int, end: Int) { ranges[index] }

    mutating func removeAll() { (count, octets) = (0, 0) }

    /// Adds a range that begins no earlier than the last one; it may overlap it.
    mutating func add(_ start: Int, _ end: Int) {
        guard start < end else { return }
        if count > 0, start <= ranges[count - 1].end || count == Self.most {
            guard end > ranges[count - 1].end else { return }
            octets += end - ranges[count - 1].end
            ranges[count - 1].end = end
            return
        }
        ranges[count] = (start, end)
        count += 1
        octets += end - start
    }
}
