// SPDX-License-Identifier: Apache-2.0

extension BasicServiceSet {
    /// The element BSS Load of an access point (IEEE 802.11 §9.4.2.27).
    public struct Load: Hashable, Sendable {
        /// Stations that are associated, 0...65,535.
        public var stations: UInt16
        /// How much of the time the access point sensed its channel busy: 0 is never, 255 always.
        public var utilisation: UInt8

        public init(stations: UInt16, utilisation: UInt8) {
            self.stations = stations
            self.utilisation = utilisation
        }
    }
}
