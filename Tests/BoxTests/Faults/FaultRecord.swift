// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Time

/// What was seen of the faults of a run.
struct FaultRecord {
    /// After so many faults the log of events is full, which keeps 4,096.
    private static let filling = 350
    /// Fewer behind these say nothing about memory.
    private static let fewest = 200

    let seed: UInt64
    private var times: [Nanoseconds] = []
    private var usage: [ProcessUsage] = []
    var problems: [String] = []

    init(seed: UInt64) { self.seed = seed }

    /// - Parameters:
    ///   - time: to the picture; nil if there was none.
    ///   - isPlayed: whether pictures came while the fault lasted, if they had to.
    mutating func add(_ number: Int, _ faults: [Fault], _ time: Nanoseconds?, isPlayed: Bool) throws {
        let now = try ProcessUsage()
        usage.append(now)
        if let time { times.append(time) }
        let name = faults.map(\.rawValue).joined(separator: "+")
        let text = time.map { "picture after \($0.milliseconds) ms" } ?? "no picture"
        let line =
            "seed \(seed), fault \(number), \(name): \(isPlayed ? "" : "no picture meanwhile, ")\(text); \(now)"
        if time == nil || !isPlayed { problems.append(line) }
        print(line)
        fflush(nil)  // a soak is watched
    }

    /// Memory, descriptors and threads are flat once the log of events is full, and behind the first third.
    mutating func judge() {
        let sorted = times.sorted()
        if let longest = sorted.last {
            let middle = sorted[sorted.count / 2]
            print(
                "seed \(seed): \(times.count) pictures, median \(middle.milliseconds) ms, at most \(longest.milliseconds)"
            )
        }
        let rest = usage.dropFirst(max(Self.filling, usage.count / 3))
        guard rest.count >= Self.fewest else { return }
        for (name, values, most) in [
            ("KiB of anonymous memory", rest.map { Double($0.anonymous) }, 2.0),
            ("descriptors", rest.map { Double($0.descriptors) }, 0.002),
            ("threads", rest.map { Double($0.threads) }, 0.002),
        ] {
            let trend = Trend(values)
            print("seed \(seed): \(name): \(trend)")
            if !trend.isFlat(within: most) { problems.append("\(name): \(trend)") }
        }
    }
}
