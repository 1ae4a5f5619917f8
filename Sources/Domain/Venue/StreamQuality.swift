// SPDX-License-Identifier: Apache-2.0
import Time

/// How well one channel is received, as of the last whole second: what came out behind reordering and repair.
public struct StreamQuality: Hashable, Sendable {
    /// Since the channel was joined, and within each window; less where it was joined later.
    public var totals = IndicatorCounts()
    public var short = IndicatorCounts()
    public var long = IndicatorCounts()
    /// Seconds of each window.
    public var shortWindow = 0
    public var longWindow = 0
    public var alarms: StreamIndicator.Set = []
    /// Packets that went on, within each window; 0 for a stream that is bare in UDP, whose losses nobody can count.
    public var shortPackets: Int64 = 0
    public var longPackets: Int64 = 0
    /// Of what came to the channel's ports in the last second.
    public var bitsPerSecond: Int64 = 0
    /// Interarrival jitter of RFC 3550 §6.4.1, of the medium where it is greatest.
    public var jitter = Nanoseconds.zero
    /// The greatest difference of two packets' transit times within the short window.
    public var peakJitter = Nanoseconds.zero
    /// Whether PCRs are held against a constant rate, and the farthest off within the short window.
    public var isConstantRate = false
    public var worstPCR = Nanoseconds.zero
    /// Whole seconds watched.
    public var seconds: Int64 = 0

    public init() {}

    /// Packets that no repair brought, within each window.
    public var shortLost: Int64 { short[.lostToNetwork] + short[.lostToKernel] }
    public var longLost: Int64 { long[.lostToNetwork] + long[.lostToKernel] }
    /// Of a million packets that should have come.
    public var shortLossPPM: Int64 { Self.partsPerMillion(shortLost, of: shortPackets + shortLost) }
    public var longLossPPM: Int64 { Self.partsPerMillion(longLost, of: longPackets + longLost) }

    private static func partsPerMillion(_ part: Int64, of whole: Int64) -> Int64 {
        whole > 0 ? part &* 1_000_000 / whole : 0
    }
}
