// SPDX-License-Identifier: Apache-2.0

/// An interface of a radio, as the kernel has it.
public struct RadioInterface: Hashable, Sendable {
    public enum Mode: Hashable, Sendable {
        /// Client of an access point.
        case station
        case accessPoint
        /// Ad-hoc, mesh, monitor, peer-to-peer and others; the kernel's number (`nl80211_iftype`).
        case other(UInt32)
    }

    /// Index of the network interface. nil for a peer-to-peer device, which has none.
    public var index: UInt32?
    /// At most 15 octets. nil likewise.
    public var name: String?
    /// Index of the radio that the interface is on.
    public var wiphy: UInt32
    /// nil if the kernel does not say.
    public var mode: Mode?
    /// The interface's own address. nil if the kernel does not say.
    public var address: HardwareAddress?
    /// Name of the network, at most 32 octets, which need not be text. nil for a station that is not associated; some
    /// kernels leave it out for stations that are.
    public var ssid: [UInt8]?
    /// nil for an interface that is on no channel, or whose links are on several (802.11be).
    public var channel: RadioChannel?
    /// Transmit power in dBm. nil if the driver does not say.
    public var transmitPower: Int?

    public init(index: UInt32?, name: String?, wiphy: UInt32, mode: Mode? = nil, address: HardwareAddress? = nil) {
        self.index = index
        self.name = name
        self.wiphy = wiphy
        self.mode = mode
        self.address = address
    }
}
