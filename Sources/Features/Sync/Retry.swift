// SPDX-License-Identifier: Apache-2.0
import Time

/// When something that failed is tried again: after a second, and each time after twice as long, up to 16 s.
struct Retry {
    private static let longest = Nanoseconds.seconds(16)

    private var pause = Nanoseconds.seconds(1)
    private var due: Monotonic?
    private var problem: String?

    /// - Returns: whether this problem is another than the one before, so that it has to be told.
    mutating func failed(_ problem: String, at now: Monotonic) -> Bool {
        let isNews = problem != self.problem
        if isNews { pause = .seconds(1) }
        self.problem = problem
        due = now + pause
        pause = min(pause * 2, Self.longest)
        return isNews
    }

    /// It succeeded, or is not wanted any more.
    mutating func reset() { self = Retry() }

    func isDue(at now: Monotonic) -> Bool { due.map { now >= $0 } ?? false }
}
