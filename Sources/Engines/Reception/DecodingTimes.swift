// SPDX-License-Identifier: Apache-2.0
import Time

/// When pictures are decoded that say only when they are shown, as in RTP: pictures in decoding order are shown in
/// another, but are decoded at the times at which they are shown, each so many pictures earlier as the stream reorders.
/// All memory is taken in `init`.
struct DecodingTimes {
    static let mostReordered = 16
    /// Two pictures of one stream are not shown further apart.
    private static let longestStep = TickRate.mpeg.ticks(.seconds(10))
    /// What the first pictures, before which nothing is known, are decoded ahead of each other: no less than what they
    /// are shown behind each other, since a clock believes the stamps that come with the least delay.
    private static let assumedStep = TickRate.mpeg.ticks(.milliseconds(100))

    /// How many pictures may come before one and be shown behind it. Too many only delay all by so much; too few would
    /// tell the stream's clock of pictures that come too early, which it believes.
    private(set) var depth = 2
    private var told: Int?
    /// Presentation times that no picture was decoded at yet, in their order.
    private var waiting: [Int64] = []
    private var last: Int64?

    init() { waiting.reserveCapacity(Self.mostReordered + 2) }

    /// What the stream's own parameters say; where they say nothing, or too little, it shows.
    mutating func told(depth new: Int) {
        guard new != told else { return }
        told = new
        depth = max(0, min(new, Self.mostReordered))
        restart()
    }

    /// What follows does not continue what was.
    mutating func restart() {
        waiting.removeAll(keepingCapacity: true)
        last = nil
    }

    /// - Parameter pts: ticks of 90 kHz, unwrapped; of pictures in decoding order.
    /// - Returns: no later than `pts`.
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
