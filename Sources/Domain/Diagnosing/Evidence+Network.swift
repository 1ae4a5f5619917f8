// SPDX-License-Identifier: Apache-2.0

extension Evidence {
    /// Interfaces, addresses and memberships.
    public struct Network: Hashable, Sendable {
        /// A network interface of the box.
        public struct Interface: Hashable, Sendable {
            public enum Association: Hashable, Sendable {
                /// - signal: dBm; nil if the driver does not say.
                case with(accessPoint: String, signal: Int?)
                /// - because: how the last connection ended; nil if there was none, or nobody said.
                case none(because: String?)
            }

            public var name: String
            public var isWireless = false
            public var isLoopback = false
            /// Whether a device stands behind it, or it is a VLAN on one.
            public var isHardware = true
            /// Whether it is switched on.
            public var isUp = true
            public var hasCarrier = true
            /// Mbit/s.
            public var speed: Int?
            public var isHalfDuplex: Bool?
            /// Packets that came damaged, per million that came; nil if too few came.
            public var damagedPPM: Int?
            public var addresses: [String] = []
            /// nil if it is no radio, or the driver tells nothing.
            public var association: Association?

            public init(_ name: String) { self.name = name }
        }

        /// nil if the kernel does not list them.
        public var interfaces: [Interface]?
        /// The interface that the settings name; nil if the route decides.
        public var wanted: String?
        /// The interface to which the route of announcements leads; nil if there is no route, or it is not known.
        public var routed: String?
        /// Whether an IPv4 address is needed: some group is of IPv4.
        public var needsIPv4 = true
        /// A router that has not answered for some seconds; nil if all answer, or there is none.
        public var silentGateway: String?
        /// Whether announcement groups are joined, if any are wanted.
        public var isJoined: Bool?
        /// Why groups could not be joined.
        public var joinFailures: [String] = []

        public init() {}

        /// Those by which the box may be reached: the one that the settings name, that of the route, or all that have
        /// hardware.
        var used: [Interface] {
            let all = interfaces ?? []
            if let name = wanted ?? routed { return all.filter { $0.name == name } }
            let hardware = all.filter(\.isHardware)
            return hardware.isEmpty ? all.filter { !$0.isLoopback } : hardware
        }
    }
}
