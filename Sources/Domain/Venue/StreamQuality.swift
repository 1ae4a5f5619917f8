// SPDX-License-Identifier: Apache-2.0
import Time

/// The quality of one received channel after reordering and repair, as of the last whole second.
public struct StreamQuality: Hashable, Sendable {
    /// Faults since the channel was joined, and within each window or since the join if that is later.
    public var totals = IndicatorCounts()
    public var short = IndicatorCounts()
    public var long = IndicatorCounts()
    /// Length of each window, seconds.
    public var shortWindow = 0
    public var longWindow = 0
    public var alarms: StreamIndicator.Set = []
    /// Packets that were delivered within each window; 0 for TS bare in UDP, whose losses cannot be counted.
    public var shortPackets: Int64 = 0
    public var longPackets: Int64 = 0
    /// Received at the channel's ports in the last second.
    public var bitsPerSecond: Int64 = 0
    /// Interarrival jitter of RFC 3550 §6.4.1; of several media the greatest.
    public var jitter = Nanoseconds.zero
    /// The greatest difference between two packets' transit times within the short window.
    public var peakJitter = Nanoseconds.zero
    /// Whether PCRs are compared with a constant rate, and the largest deviation within the short window.
    public var isConstantRate = false
    public var worstPCR = Nanoseconds.zero
    /// Whole seconds for which the channel has been monitored.
    public var seconds: Int64 = 0

    public init() {}

    /// Packets lost after repair, within each window.
    public var shortLost: Int64 { short[.lostToNetwork] + short[.lostToKernel] }
    public var longLost: Int64 { long[.lostToNetwork] + long[.lostToKernel] }
    /// Lost packets in every million that should have arrived.
    public var shortLossPPM: Int64 { Self.partsPerMillion(shortLost, of: shortPackets + shortLost) }
    public var longLossPPM: Int64 { Self.partsPerMillion(longLost, of: longPackets + longLost) }

    private static func partsPerMillion(_ part: Int64, of whole: Int64) -> Int64 {
        whole > 0 ? part &* 1_000_000 / whole : 0
    }
}
