// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Gilbert's channel: good or bad by packet, all lost while it is bad.
struct BurstLoss {
    private let begins: Double
    private let ends: Double
    private var isBad = false

    /// - Parameters:
    ///   - share: of the packets that are lost, above 0 and below 1.
    ///   - burst: packets in a row, on average.
    init(share: Double, burst: Double) {
        ends = 1 / burst
        begins = share / burst / (1 - share)
    }

    mutating func loses(_ random: inout SplitMix64) -> Bool {
        let draw = Double(random.next() >> 11) / Double(1 << 53)
        isBad = isBad ? draw >= ends : draw < begins
        return isBad
    }
}
