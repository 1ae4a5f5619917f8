// SPDX-License-Identifier: Apache-2.0

/// A network that was heard in a scan: one radio of one access point (BSS).
public struct BasicServiceSet: Hashable, Sendable {
    /// Index of the network interface that heard it. nil if a device without one did.
    public var interface: UInt32?
    /// The BSSID. nil if the kernel does not say.
    public var address: HardwareAddress?
    /// Name of the network, at most 32 octets, which need not be text. It is empty, or all octets are 0, if the network
    /// hides it. nil if the access point sent none, or a longer one.
    public var ssid: [UInt8]?
    /// Centre of the control channel in MHz. nil if the kernel does not say.
    public var frequency: UInt32?
    /// Signal of the last beacon or probe response in dBm. nil if the driver has no such unit.
    public var signal: Int?
    /// The same without a unit, 0...100. nil if the driver has dBm.
    public var relativeSignal: Int?
    /// Time between beacons, in units of 1,024 µs. nil if the kernel does not say.
    public var beaconInterval: UInt16?
    /// The capability information field, bits of IEEE 802.11 §9.4.1.4. nil if the kernel does not say.
    public var capabilities: UInt16?
    /// Whether the interface is associated with this access point.
    public var isAssociated: Bool
    /// Whether the network wants a key or a login. nil if there are neither capabilities nor information elements.
    public var isProtected: Bool?
    /// Since the network was last heard, in whole milliseconds. nil if the kernel does not say.
    public var age: Duration?
    /// What the access point says of its load. nil if it says nothing.
    public var load: Load?

    public init(interface: UInt32?, address: HardwareAddress?, isAssociated: Bool = false) {
        self.interface = interface
        self.address = address
        self.isAssociated = isAssociated
    }
}
