// SPDX-License-Identifier: Apache-2.0
import Time

/// Requests that have come in and have not been looked at, in their order. One is taken only as long as what is ahead of it
/// will not take too long, so that whoever is sent away learns it at once and not after a wait.
public struct IntakeQueue<Request> {
    /// Octets that each request counts for beside its body.
    private static var overhead: Int { 1_024 }

    private let limit: Nanoseconds
    private var waiting: [(request: Request, octets: Int)] = []
    private var first = 0
    /// Octets of all requests that wait, with the overhead of each.
    private var octets = 0
    /// Octets of the request that `next` gave last, with its overhead.
    private var last = 1
    /// What 1,024 octets took of late.
    private var perKiB = Nanoseconds.zero

    /// - Parameter limit: how long what waits may take, with what waits for the disk.
    public init(limit: Nanoseconds) { self.limit = limit }

    public var count: Int { waiting.count - first }
    public var isEmpty: Bool { count == 0 }
    /// How long what waits will take.
    public var delay: Nanoseconds { Self.product(perKiB, octets) }

    /// - Parameter behind: how long it takes what will be done before, beside what waits here.
    /// - Returns: false if there is too much already; then it is not taken.
    public mutating func add(_ request: Request, octets: Int, behind: Nanoseconds) -> Bool {
        let more = octets + Self.overhead
        guard delay + behind <= limit else { return false }
        waiting.append((request, more))
        self.octets += more
        return true
    }

    /// The request that came first; nil if none waits.
    public mutating func next() -> Request? {
        guard first < waiting.count else { return nil }
        let (request, octets) = waiting[first]
        first += 1
        self.octets -= octets
        last = octets
        if first == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 1_024 {
            waiting.removeFirst(first)
            first = 0
        }
        return request
    }

    /// Learns from what the request took that `next` gave last.
    public mutating func took(_ time: Nanoseconds) {
        let sample = Nanoseconds(max(0, time.count) * 1_024 / Int64(max(1, last)))
        perKiB = perKiB == .zero ? sample : perKiB + (sample - perKiB) / 16
    }

    private static func product(_ perKiB: Nanoseconds, _ octets: Int) -> Nanoseconds {
        perKiB * (Int64(octets) / 1_024)
    }
}
