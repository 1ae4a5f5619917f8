// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// How the box uses its wire.
public struct WiredPlan: Record, Equatable {
    /// nil for the only wire that the box has.
    public var interface: InterfaceName?
    /// Empty for DHCP and router advertisements.
    public var addresses: [AddressWithPrefix] = []
    public var gateways: [NumericAddress] = []
    /// nil if frames have no tag.
    public var vlan: Int?
    public var authentication = PortAuthentication()

    public init() {}

    public static let shape = Shape<Self>([
        .setting(
            "interface", \.interface, .interfaceName, .interruptsPicture,
            "Name of the interface; \"\": the only wire that the box has."),
        .setting(
            "addresses", \.addresses, .list(of: .addressWithPrefix, 0...8), .interruptsPicture,
            "Addresses of the box; []: by DHCP and router advertisements."),
        .setting(
            "gateways", \.gateways, .list(of: .numericAddress, 0...2), .interruptsPicture,
            "Routers to everywhere else, one of IPv4 and one of IPv6; for addresses that are given."),
        .setting(
            "vlan", \.vlan, .absentOr(.integer(1...4_094)), .interruptsPicture,
            "VLAN on which the box is (IEEE 802.1Q); absent: frames have no tag."),
        .setting(
            "authentication", \.authentication, .record, .interruptsPicture,
            "How the switch lets the box in (IEEE 802.1X)."),
    ])

    var problems: [Problem] {
        AddressPlan(addresses: addresses, gateways: gateways).problems
            + authentication.problems.map { $0.below("/authentication") }
    }
}
