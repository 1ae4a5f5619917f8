// SPDX-License-Identifier: Apache-2.0

extension Evidence {
    /// What the kernel tells of the machine.
    public struct Machine: Hashable, Sendable {
        /// The hottest of the kernel's thermal zones.
        public struct Temperature: Hashable, Sendable {
            /// What the kernel calls the zone, such as `cpu-thermal`.
            public var zone: String
            public var milliCelsius: Int
            /// Where the kernel switches the machine off; nil if it does not say.
            public var critical: Int?

            public init(zone: String, milliCelsius: Int, critical: Int?) {
                (self.zone, self.milliCelsius, self.critical) = (zone, milliCelsius, critical)
            }
        }

        /// Octets.
        public struct Memory: Hashable, Sendable {
            public var available: Int64
            public var total: Int64

            public init(available: Int64, total: Int64) { (self.available, self.total) = (available, total) }
        }

        /// A file system that the service writes to.
        public struct Storage: Hashable, Sendable {
            public enum State: Hashable, Sendable {
                /// Octets that may still be written.
                case space(available: Int64)
                case isFull
                case isReadOnly
                /// The disk does not answer.
                case isSilent
            }

            public var path: String
            public var state: State

            public init(path: String, _ state: State) { (self.path, self.state) = (path, state) }
        }

        /// Whether the supply voltage is, or lately was, too low; nil if nothing measures it.
        public var isUndervolted: Bool?
        public var temperature: Temperature?
        public var memory: Memory?
        /// nil if nobody has looked; without those that cannot be looked at.
        public var storages: [Storage]?
        /// The connectors of graphics cards by their names, and whether a screen is plugged in; nil if there is no card.
        public var connectors: [Connector]?

        public struct Connector: Hashable, Sendable {
            /// Without the name of the card: `HDMI-A-1`.
            public var name: String
            public var isConnected: Bool

            public init(_ name: String, isConnected: Bool) { (self.name, self.isConnected) = (name, isConnected) }
        }

        public init() {}
    }
}
