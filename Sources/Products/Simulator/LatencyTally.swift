// SPDX-License-Identifier: Apache-2.0
import Time

/// How long answers took, in buckets of which each is 5 % wider than the one before: the memory does not grow.
struct LatencyTally {
    /// From 0.1 ms; the last one begins at 28 s, beyond which no request lasts.
    private static let bounds: [Int64] = {
        var bounds: [Int64] = [100_000]
        while let last = bounds.last, last < 28_000_000_000 { bounds.append(last + last / 20) }
        return bounds
    }()

    private var counts = [Int](repeating: 0, count: LatencyTally.bounds.count + 1)
    private(set) var total = 0
    private(set) var longest = Nanoseconds.zero

    mutating func count(_ latency: Nanoseconds) {
        var (low, high) = (0, Self.bounds.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.bounds[middle] < latency.count { low = middle + 1 } else { high = middle }
        }
        counts[low] += 1
        total += 1
        longest = max(longest, latency)
    }

    /// - Returns: an upper bound of what this part of the answers took, at most 5 % above it; 0 if there were none.
    func quantile(_ part: Double) -> Nanoseconds {
        let wanted = Int((Double(total) * part).rounded(.up))
        var seen = 0
        for (index, count) in counts.enumerated() where count > 0 {
            seen += count
            if seen >= wanted {
                return index < Self.bounds.count ? min(longest, Nanoseconds(Self.bounds[index])) : longest
            }
        }
        return .zero
    }
}
