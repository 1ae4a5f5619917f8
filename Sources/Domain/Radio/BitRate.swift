// SPDX-License-Identifier: Apache-2.0

/// The rate at which a frame was sent or received, and the modulation that gives this rate.
public struct BitRate: Hashable, Sendable {
    /// The amendment to IEEE 802.11 whose modulation it is.
    public enum Kind: Hashable, Sendable {
        /// Older than 802.11n.
        case legacy
        /// High throughput, 802.11n.
        case ht
        /// Very high throughput, 802.11ac.
        case vht
        /// High efficiency, 802.11ax.
        case he
        /// Extremely high throughput, 802.11be.
        case eht
    }

    /// In units of 100 kbit/s: 540 is 54 Mbit/s. nil if the kernel cannot calculate it.
    public var value: UInt32?
    /// `legacy` if the kernel tells of no scheme.
    public var kind: Kind
    /// Modulation and coding scheme: 0...76 of HT, 0...9 of VHT (some drivers have 11), 0...11 of HE, 0...15 of EHT.
    /// nil for a legacy rate.
    public var mcs: Int?
    /// Spatial streams, 1...8. nil for a legacy rate, and of HT where the MCS does not tell it (above 32).
    public var nss: Int?
    /// MHz: 5, 10, 20, 40, 80, 160 or 320. nil if the frame had only a resource unit of its channel (OFDMA).
    public var width: Int?
    /// The pause between symbols in ns: 400, 800, 1,600 or 3,200. nil for a legacy rate, or if the kernel does not say.
    public var guardInterval: Int?

    public init(
        value: UInt32?, kind: Kind, mcs: Int? = nil, nss: Int? = nil, width: Int? = 20, guardInterval: Int? = nil
    ) {
        self.value = value
        self.kind = kind
        self.mcs = mcs
        self.nss = nss
        self.width = width
        self.guardInterval = guardInterval
    }

    /// nil if `value` is.
    public var bitsPerSecond: UInt64? { value.map { UInt64($0) * 100_000 } }

    /// Whether the pause is the short one of HT and VHT, 400 ns.
    public var hasShortGuardInterval: Bool { guardInterval == 400 }
}
