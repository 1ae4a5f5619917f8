// SPDX-License-Identifier: Apache-2.0
import Time

/// How long a receive thread rests between two reads of its sockets. A read costs much the same however much it finds,
/// and a rest does not change the kernel's time stamps. So the thread reads seldom while little comes, and often while
/// much comes. Where more comes than it can read, it rests all the same and the kernel drops what its buffer cannot hold.
struct ReceiveRhythm {
    /// A sender writes the packets of a picture one right behind the other; after this rest they are read together.
    static let shortest = Nanoseconds.milliseconds(1)
    /// The rest grows slowly towards the longest, because somebody is waiting for a channel that has just been tuned.
    private static let step = Nanoseconds.microseconds(125)
    /// Datagrams of one read below which the rest grows, and (`many`) above which it shrinks.
    private static let few = 24
    private static let many = 48
    /// The longest time without a rest, and the rest after it. The thread has a real-time priority, and other threads need
    /// its core. One that never blocked would be ended by the kernel, with its process (RLIMIT_RTTIME).
    static let longestTurn = Nanoseconds.milliseconds(8)
    static let forcedRest = Nanoseconds.milliseconds(2)

    let longest: Nanoseconds
    private(set) var rest = shortest
    /// The last read found more than `many` datagrams.
    private var wasMuch = false
    /// Whether the last read found nothing, so that the next one waits at the socket.
    private(set) var isIdle = true
    /// When the thread last waited; nil before its first read.
    private var turnBegan: Monotonic?

    /// - Parameter longest: a small part of the play-out delay; 1 ms at least.
    init(longest: Nanoseconds) { self.longest = max(longest, Self.shortest) }

    /// - Parameters:
    ///   - count: datagrams from the socket that had most.
    ///   - limit: datagrams that one read can take; when it is reached there may be more.
    ///   - now: when the read and the work on its datagrams ended.
    /// - Returns: how long to rest.
    mutating func looked(_ count: Int, of limit: Int, at now: Monotonic) -> Nanoseconds {
        isIdle = count == 0
        let rest = wanted(after: count, of: limit)
        guard rest == .zero, !isIdle else {
            turnBegan = now + rest
            return rest
        }
        let began = turnBegan ?? now
        guard now - began >= Self.longestTurn else {
            turnBegan = began
            return .zero
        }
        turnBegan = now + Self.forcedRest
        return Self.forcedRest
    }

    private mutating func wanted(after count: Int, of limit: Int) -> Nanoseconds {
        defer { wasMuch = count > Self.many }
        if count > Self.many {
            // A single large read is a large picture and says nothing about the rate.
            if wasMuch { rest = max(Self.shortest, rest / 2) }
        } else if count < Self.few {
            rest = min(longest, rest + Self.step)
        }
        return count == 0 || count >= limit ? .zero : rest
    }
}
