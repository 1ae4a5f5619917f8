// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// Something measured in nanoseconds per operation.
struct Benchmark: Sendable {
    let name: String
    /// What one operation is.
    let operation: String
    /// Slower than this part of the peer's speed the program fails; nil when only the ratio is of interest.
    var leastSpeed: Double?
    /// Above it the program fails; nil when only the number is of interest.
    var limit: Double?
    /// Octets that one operation handles; nil when that says nothing.
    var octets: Int?
    /// The same work done by others, for the ratio.
    var peer: Peer?
    /// Performs so many operations and tells what they took. The result depends on all of them, so that none is optimised
    /// away.
    let timed: @Sendable (Int) -> (UInt64, Nanoseconds)

    struct Peer: Sendable {
        let name: String
        let run: @Sendable (Int) -> UInt64

        fileprivate var timed: @Sendable (Int) -> (UInt64, Nanoseconds) {
            { [run] in Benchmark.time(run, $0) }
        }
    }

    init(
        name: String, operation: String, limit: Double? = nil, octets: Int? = nil, peer: Peer? = nil,
        run: @escaping @Sendable (Int) -> UInt64
    ) {
        self.name = name
        self.operation = operation
        self.limit = limit
        self.octets = octets
        self.peer = peer
        timed = { Self.time(run, $0) }
    }

    /// What prepares between operations, and tells what they alone took.
    init(
        name: String, operation: String, limit: Double? = nil, octets: Int? = nil,
        timing timed: @escaping @Sendable (Int) -> (UInt64, Nanoseconds)
    ) {
        self.name = name
        self.operation = operation
        self.limit = limit
        self.octets = octets
        self.timed = timed
    }

    func measured() -> Measurement {
        let own = Self.median(of: timed)
        return Measurement(
            nanoseconds: own.nanoseconds, spread: own.spread, peer: peer.map { Self.median(of: $0.timed).nanoseconds })
    }

    private static let runs = 9
    private static let span = Nanoseconds.milliseconds(40)

    /// Nanoseconds per operation: the median of some runs, and how far they lie apart as a part of it.
    private static func median(
        of timed: (Int) -> (UInt64, Nanoseconds)
    ) -> (nanoseconds: Double, spread: Double) {
        func time(_ count: Int) -> Nanoseconds {
            let (result, time) = timed(count)
            consume(result)
            return time
        }
        var count = 1
        while time(count) < span, count < 1 << 32 { count *= 2 }  // warms up, too
        let times = (0..<runs).map { _ in Double(time(count).count) / Double(count) }.sorted()
        let median = times[runs / 2]
        return (median, (times[runs - 2] - times[1]) / median)
    }

    fileprivate static func time(_ run: (Int) -> UInt64, _ count: Int) -> (UInt64, Nanoseconds) {
        let start = SystemClock.monotonic()
        let result = run(count)
        return (result, SystemClock.monotonic() - start)
    }

    @inline(never)
    private static func consume(_ result: UInt64) {}
}
