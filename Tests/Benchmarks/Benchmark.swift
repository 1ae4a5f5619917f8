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
    /// Performs so many operations. The result depends on all of them, so that none is optimised away.
    let run: @Sendable (Int) -> UInt64

    struct Peer: Sendable {
        let name: String
        let run: @Sendable (Int) -> UInt64
    }

    func measured() -> Measurement {
        let own = Self.median(of: run)
        return Measurement(
            nanoseconds: own.nanoseconds, spread: own.spread, peer: peer.map { Self.median(of: $0.run).nanoseconds })
    }

    private static let runs = 9
    private static let span = Nanoseconds.milliseconds(40)

    /// Nanoseconds per operation: the median of some runs, and how far they lie apart as a part of it.
    private static func median(of run: (Int) -> UInt64) -> (nanoseconds: Double, spread: Double) {
        var count = 1
        while time(run, count) < span, count < 1 << 32 { count *= 2 }  // warms up, too
        let times = (0..<runs).map { _ in Double(time(run, count).count) / Double(count) }.sorted()
        let median = times[runs / 2]
        return (median, (times[runs - 2] - times[1]) / median)
    }

    private static func time(_ run: (Int) -> UInt64, _ count: Int) -> Nanoseconds {
        let start = SystemClock.monotonic()
        consume(run(count))
        return SystemClock.monotonic() - start
    }

    @inline(never)
    private static func consume(_ result: UInt64) {}
}
