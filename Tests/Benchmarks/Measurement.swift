// SPDX-License-Identifier: Apache-2.0

/// What came of a benchmark.
struct Measurement {
    /// Per operation, the median of the runs.
    let nanoseconds: Double
    /// From the second quickest run to the second slowest, as a part of the median.
    let spread: Double
    /// The peer's nanoseconds for the same.
    let peer: Double?

    /// The most nanoseconds that such a benchmark may take, given its peer's.
    func limit(of benchmark: Benchmark) -> Double? {
        guard let peer, let leastSpeed = benchmark.leastSpeed else { return benchmark.limit }
        return min(peer / leastSpeed, benchmark.limit ?? .infinity)
    }
}
