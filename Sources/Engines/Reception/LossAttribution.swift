// SPDX-License-Identifier: Apache-2.0
import Time

/// Tells packets that our own kernel dropped from those that the network lost.
///
/// The kernel says how many datagrams it dropped, the sequence numbers how many packets are missing, and which is which
/// only shows in time: a drop is held against the gaps that are given up with it or soon after. A drop that leaves no gap
/// (repair brought the packet, or it was a duplicate or another sender's) is forgotten.
struct LossAttribution {
    /// Above the longest that a gap is held open for its repair.
    static let memory = Nanoseconds.seconds(5)

    private(set) var lostToKernel: Int64 = 0
    private(set) var lostToNetwork: Int64 = 0
    /// Drops that no gap accounts for yet, and when the newest was told.
    private var drops: Int64 = 0
    private var told = Monotonic(nanoseconds: 0)
    private var isNews = false

    /// - Parameter count: since the report before.
    mutating func kernelDropped(_ count: Int64) {
        guard count > 0 else { return }
        drops += count
        isNews = true
    }

    /// A batch was taken and its drops told, or time passed.
    /// - Parameter lost: packets given up so far, in all.
    mutating func account(lost: Int64, at now: Monotonic) {
        if isNews {
            told = now
            isNews = false
        }
        let news = lost - lostToKernel - lostToNetwork
        if news > 0 {
            let dropped = min(news, drops)
            drops -= dropped
            lostToKernel += dropped
            lostToNetwork += news - dropped
        }
        if drops > 0, now - told > Self.memory { drops = 0 }
    }
}
