// SPDX-License-Identifier: Apache-2.0

/// What the kernel tells of a radio by itself.
public struct RadioEvent: Hashable, Sendable {
    /// Index of the network interface. nil if the event concerns none, such as that of the regulatory domain.
    public var interface: UInt32?
    /// Address of the station or access point that the event is about. nil if the kernel does not say: not when a
    /// connection ends, for instance.
    public var address: HardwareAddress?
    /// The kind of event, with its details.
    public var kind: Kind

    public init(_ kind: Kind, interface: UInt32?, address: HardwareAddress? = nil) {
        self.kind = kind
        self.interface = interface
        self.address = address
    }
}
