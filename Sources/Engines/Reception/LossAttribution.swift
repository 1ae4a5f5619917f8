// SPDX-License-Identifier: Apache-2.0
import Time

/// Tells packets that the box's own kernel dropped from packets that the network lost.
///
/// The kernel reports how many datagrams it dropped; sequence numbers show how many packets are missing. Which is which
/// shows only in time: a drop is held against the gaps that are given up with it or soon after. A drop that leaves no
/// gap (repair brought the packet, it was a duplicate, or it was another sender's) is forgotten.
struct LossAttribution {
    /// How long a drop is remembered: longer than any gap is held open for its repair.
    static let memory = Nanoseconds.seconds(5)

    private(set) var lostToKernel: Int64 = 0
    private(set) var lostToNetwork: Int64 = 0
    /// Drops that no gap accounts for yet, and when the newest of them was reported.
    private var drops: Int64 = 0
    private var told = Monotonic(nanoseconds: 0)
    private var isNews = false

    /// - Parameter count: datagrams dropped since the last report.
    mutating func kernelDropped(_ count: Int64) {
        guard count > 0 else { return }
        drops += count
        isNews = true
    }

    /// To be called after each batch and its drop report, and when time has passed.
    /// - Parameter lost: packets given up so far, in total.
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
