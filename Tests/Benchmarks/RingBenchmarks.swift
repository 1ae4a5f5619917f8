// SPDX-License-Identifier: Apache-2.0
import Buffers
import Foundation
import System

let ringBenchmarks = [
    Benchmark(name: "ring-offer-take", operation: "element in and out on one thread") { count in
        let ring = HandoffRing<UInt64>(capacity: 256)
        var result: UInt64 = 0
        for number in 0..<count {
            _ = ring.offer(UInt64(number))
            result &+= ring.take() ?? 0
        }
        return result
    },
    Benchmark(name: "ring-round-trip", operation: "element to another thread and back") { count in
        let there = HandoffRing<UInt64>(capacity: 16)
        let back = HandoffRing<UInt64>(capacity: 16)
        return beside({
            for _ in 0..<count { _ = back.offer(spinningTake(there)) }
        }) {
            var result: UInt64 = 0
            for number in 0..<count {
                _ = there.offer(UInt64(number))
                result &+= spinningTake(back)
            }
            return result
        }
    },
    Benchmark(name: "ring-stream", operation: "element to another thread, 256 under way") { count in
        let ring = HandoffRing<UInt64>(capacity: 256)
        return beside({
            for number in 0..<count {
                while ring.offer(UInt64(number)) != nil { sched_yield() }
            }
        }) {
            (0..<count).reduce(0) { result, _ in result &+ spinningTake(ring) }
        }
    },
]

private func spinningTake(_ ring: HandoffRing<UInt64>) -> UInt64 {
    while true {
        if let element = ring.take() { return element }
        sched_yield()  // there may be one core only
    }
}

/// Runs `body` while `other` runs on a thread of its own.
private func beside(_ other: @escaping @Sendable () -> Void, _ body: () -> UInt64) -> UInt64 {
    do {
        let thread = try DedicatedThread("bench", other)
        defer { thread.join() }
        return body()
    } catch {
        fatalError("\(error)")
    }
}
