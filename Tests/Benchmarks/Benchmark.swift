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

    /// The median of some runs. Those of the peer come in turn with them, since a machine is busier at one moment than at
    /// another: its time is what the median of the ratios says.
    func measured() -> Measurement {
        let count = Self.warmedUp(timed)
        let peer = peer.map { (timed: $0.timed, count: Self.warmedUp($0.timed)) }
        var times: [Double] = []
        var ratios: [Double] = []
        for _ in 0..<Self.runs {
            let time = Self.nanoseconds(timed, count)
            times.append(time)
            if let peer { ratios.append(time / Self.nanoseconds(peer.timed, peer.count)) }
        }
        times.sort()
        ratios.sort()
        let median = times[Self.runs / 2]
        return Measurement(
            nanoseconds: median, spread: (times[Self.runs - 2] - times[1]) / median,
            peer: ratios.isEmpty ? nil : median / ratios[Self.runs / 2])
    }

    private static let runs = 9
    private static let span = Nanoseconds.milliseconds(40)

    /// - Returns: how many operations take that span at least.
    private static func warmedUp(_ timed: (Int) -> (UInt64, Nanoseconds)) -> Int {
        var count = 1
        while nanoseconds(timed, count) * Double(count) < Double(span.count), count < 1 << 32 { count *= 2 }
        return count
    }

    /// Per operation.
    private static func nanoseconds(_ timed: (Int) -> (UInt64, Nanoseconds), _ count: Int) -> Double {
        let (result, time) = timed(count)
        consume(result)
        return Double(time.count) / Double(count)
    }

    fileprivate static func time(_ run: (Int) -> UInt64, _ count: Int) -> (UInt64, Nanoseconds) {
        let start = SystemClock.monotonic()
        let result = run(count)
        return (result, SystemClock.monotonic() - start)
    }

    @inline(never)
    private static func consume(_ result: UInt64) {}
}
