// SPDX-License-Identifier: Apache-2.0
import Time

/// How long a receive thread rests between two looks at its sockets. Each look costs the same, however much it finds; what
/// the kernel stamps is not moved by it. So it looks seldom while little comes, and at once while much does.
struct ReceiveRhythm {
    /// A sender writes the packets of a picture one right behind the other: they are taken together.
    static let shortest = Nanoseconds.milliseconds(1)
    /// Slowly towards the longest: a channel that has just been tuned is waited for.
    private static let step = Nanoseconds.microseconds(125)
    /// Datagrams of one look.
    private static let few = 24
    private static let many = 48

    let longest: Nanoseconds
    private(set) var rest = shortest
    /// The last look found many.
    private var wasMuch = false
    /// The last look found nothing: the next one waits at the socket.
    private(set) var isIdle = true

    /// - Parameter longest: of the play-out delay a small part; a millisecond at least.
    init(longest: Nanoseconds) { self.longest = max(longest, Self.shortest) }

    /// - Parameters:
    ///   - count: of the socket that had most.
    ///   - limit: of what one look can take; there may be more then.
    /// - Returns: how long to rest.
    mutating func looked(_ count: Int, of limit: Int) -> Nanoseconds {
        isIdle = count == 0
        defer { wasMuch = count > Self.many }
        if count > Self.many {
            // One alone is a large picture, which says nothing of the rate.
            if wasMuch { rest = max(Self.shortest, rest / 2) }
        } else if count < Self.few {
            rest = min(longest, rest + Self.step)
        }
        return count == 0 || count >= limit ? .zero : rest
    }
}
