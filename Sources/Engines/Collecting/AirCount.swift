// SPDX-License-Identifier: Apache-2.0

/// What was received over an access point on a channel, and what was not.
public struct AirCount: Equatable, Sendable {
    /// What counts are added up by.
    public struct Place: Hashable, Sendable {
        /// Hardware address of the access point.
        public var bssid: String
        /// Channel of the radio; 0 while the box did not know it.
        public var channel: Int64

        public init(bssid: String, channel: Int64) { (self.bssid, self.channel) = (bssid, channel) }
    }

    public var place: Place
    public var name: String?
    public var ssid: String?
    public var sums: AirSums

    public init(_ place: Place, name: String? = nil, ssid: String? = nil, _ sums: AirSums) {
        self.place = place
        self.name = name
        self.ssid = ssid
        self.sums = sums
    }
}

/// Sums over reports.
public struct AirSums: Equatable, Sendable {
    public var packets: Int64 = 0
    /// After repair.
    public var lost: Int64 = 0
    public var windows: Int64 = 0
    public var failedWindows: Int64 = 0
    /// Associated.
    public var seconds: Int64 = 0
    /// The mean signal of each report in dBm, times its seconds.
    public var signalSum: Int64 = 0
    /// The seconds that `signalSum` is of.
    public var signalSeconds: Int64 = 0

    public init() {}

    /// dBm; nil if no report had one.
    public var signal: Int64? { signalSeconds > 0 ? signalSum / signalSeconds : nil }

    /// A box can claim any number: sums stay within 64 bits.
    public mutating func add(_ other: AirSums) {
        packets.addClamped(other.packets)
        lost.addClamped(other.lost)
        windows.addClamped(other.windows)
        failedWindows.addClamped(other.failedWindows)
        seconds.addClamped(other.seconds)
        signalSum.addClamped(other.signalSum)
        signalSeconds.addClamped(other.signalSeconds)
    }
}

extension Int64 {
    /// Far from the ends of 64 bits, where SQLite would go on with fractions.
    static let most: Int64 = 1 << 60

    mutating func addClamped(_ other: Int64) {
        let (sum, overflow) = addingReportingOverflow(other)
        self = overflow ? (other < 0 ? -Self.most : Self.most) : Swift.max(-Self.most, Swift.min(Self.most, sum))
    }
}
