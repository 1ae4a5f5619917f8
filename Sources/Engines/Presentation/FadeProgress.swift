// SPDX-License-Identifier: Apache-2.0
import Time

/// The progress of a cross-fade from one layout to the next.
struct FadeProgress {
    private let start: Monotonic
    private let duration: Nanoseconds
    /// The weight of the new layout, 0...255.
    private(set) var weight = 0

    /// - Parameter duration: limited to 1 ms...60 s.
    init(_ duration: Nanoseconds, at now: Monotonic) {
        self.duration = max(.milliseconds(1), min(.seconds(60), duration))
        start = now
    }

    /// - Returns: false when the fade is complete.
    mutating func advance(to now: Monotonic) -> Bool {
        weight = max(weight, Int(min(255, max(0, (now - start).count * 255 / duration.count))))
        return weight < 255
    }
}
