// SPDX-License-Identifier: Apache-2.0
import Time

/// Notices a decoder that does not return from a call, so that the picture stands still while the sound goes on (PLAY-45).
struct DecodeWatch: Sendable {
    private static let patience = Nanoseconds.seconds(3)
    /// The longest time between two looks that counts. While the whole process stands still, nothing hangs.
    private static let longestPause = Nanoseconds.milliseconds(500)

    private var last: (renewal: Int64, at: Monotonic)?
    private var stuck = Nanoseconds.zero

    /// To be called at least each 500 ms.
    /// - Parameter renewal: of the decode thread's lease.
    /// - Returns: whether the thread has been in one call for too long.
    mutating func isStuck(_ renewal: Int64?, at now: Monotonic) -> Bool {
        defer { last = renewal.map { ($0, now) } }
        guard let last, renewal == last.renewal else {
            stuck = .zero
            return false
        }
        stuck = stuck + min(now - last.at, Self.longestPause)
        return stuck >= Self.patience
    }
}
