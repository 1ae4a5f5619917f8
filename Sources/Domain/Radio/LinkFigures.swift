// SPDX-License-Identifier: Apache-2.0

/// An interface of the box, of a wire or of a radio, as the kernel counts it. Counters begin with the interface.
public struct LinkFigures: Hashable, Sendable {
    public enum Duplex: String, Hashable, Sendable, CaseIterable { case half, full }

    public var index: UInt32
    /// At most 15 octets.
    public var name: String
    /// nil if it has none of 48 bits.
    public var address: HardwareAddress?
    /// Whether it is switched on.
    public var isUp = false
    /// Whether it can carry packets: a wire with somebody at its other end, a radio that is associated.
    public var hasCarrier = false
    /// Octets of the longest packet.
    public var mtu: UInt32?
    /// How often the carrier came or went.
    public var carrierChanges: UInt32?
    /// Mbit/s; nil if the driver does not say, as without a carrier.
    public var speed: UInt32?
    public var duplex: Duplex?
    /// Whether a device stands behind it, and it is no bridge, VLAN, tunnel or loopback.
    public var isHardware = false
    public var counters = Counters()

    public init(index: UInt32, name: String) {
        self.index = index
        self.name = name
    }

    /// `struct rtnl_link_stats64`.
    public struct Counters: Hashable, Sendable {
        public var packetsReceived: UInt64 = 0
        public var packetsSent: UInt64 = 0
        public var octetsReceived: UInt64 = 0
        public var octetsSent: UInt64 = 0
        public var receiveErrors: UInt64 = 0
        public var sendErrors: UInt64 = 0
        /// Packets that the kernel had no room for, or nobody wanted.
        public var receiveDrops: UInt64 = 0
        public var sendDrops: UInt64 = 0
        public var multicastReceived: UInt64 = 0
        public var collisions: UInt64 = 0
        public var lengthErrors: UInt64 = 0
        public var overruns: UInt64 = 0
        public var checksumErrors: UInt64 = 0

        public init() {}
    }
}
