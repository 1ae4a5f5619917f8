// SPDX-License-Identifier: Apache-2.0
import Time

/// Makes decoding times for pictures that carry presentation times only, as in RTP. The decoding times are the
/// presentation times in ascending order, moved earlier by as many pictures as the stream reorders (`depth`). All
/// memory is taken in `init`.
struct DecodingTimes {
    static let mostReordered = 16
    /// Ticks. Two consecutive pictures of one stream are not shown further apart than this.
    private static let longestStep = TickRate.mpeg.ticks(.seconds(10))
    /// Ticks between the decoding times of the first pictures, before any spacing is known. It is at least their real
    /// spacing, since a stream clock believes the stamps that come with the least delay.
    private static let assumedStep = TickRate.mpeg.ticks(.milliseconds(100))

    /// How many pictures may be decoded before a picture and shown after it. A value that is too large only delays all
    /// pictures; one that is too small makes pictures look early to the stream clock, which believes them.
    private(set) var depth = 2
    private var told: Int?
    /// Presentation times that no picture has been given as its decoding time yet, ascending.
    private var waiting: [Int64] = []
    private var last: Int64?

    init() { waiting.reserveCapacity(Self.mostReordered + 2) }

    /// Takes the depth from the stream's own parameters. Where they say nothing, or too little, `next` raises it as it
    /// sees reordering.
    mutating func told(depth new: Int) {
        guard new != told else { return }
        told = new
        depth = max(0, min(new, Self.mostReordered))
        restart()
    }

    /// The next picture does not continue the stream.
    mutating func restart() {
        waiting.removeAll(keepingCapacity: true)
        last = nil
    }

    /// - Parameter pts: presentation time in unwrapped 90 kHz ticks; pictures come in decoding order.
    /// - Returns: the decoding time in the same ticks, never after `pts`.
    mutating func next(pts: Int64) -> Int64 {
        if let last {
            if !(-Self.longestStep...Self.longestStep).contains(pts &- last) {
                restart()
            } else if pts <= last, depth < Self.mostReordered {
                depth += 1
            }
        }
        waiting.insert(pts, at: waiting.firstIndex { $0 > pts } ?? waiting.count)
        var time = waiting[0] &- Int64(max(0, depth + 1 - waiting.count)) &* Self.assumedStep
        while waiting.count > depth { time = waiting.removeFirst() }
        if let last { time = max(time, last &+ 1) }
        time = min(time, pts)
        last = time
        return time
    }
}
