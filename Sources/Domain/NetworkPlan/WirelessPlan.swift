// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// How the box uses its radio.
public struct WirelessPlan: Record, Equatable {
    /// nil for the only radio that the box has.
    public var interface: InterfaceName?
    /// nil if the settings name no network.
    public var ssid: NetworkName?
    /// nil for a network without a key.
    public var key: WirelessKey?
    /// Whether a network that would do with WPA2 is refused.
    public var requiresWPA3 = false
    /// Whether the network does not announce its name, so that it has to be asked for.
    public var isHidden = false
    /// ISO 3166-1; nil leaves the channels to what all countries allow.
    public var country: CountryCode?
    public var addresses: [AddressWithPrefix] = []
    public var gateways: [NumericAddress] = []
    public var authentication = PortAuthentication()

    public init() {}

    public static let shape = Shape<Self>([
        .setting(
            "interface", \.interface, .interfaceName, .interruptsPicture,
            "Name of the interface; \"\": the only radio that the box has."),
        .setting(
            "ssid", \.ssid, .networkName, .interruptsPicture, "Name of the network; \"\": the settings name none."),
        .setting(
            "key", \.key, .wirelessKey, .interruptsPicture, isSecret: true,
            "Key of a WPA2 or WPA3 network; \"\": it has none."),
        .setting(
            "requiresWPA3", \.requiresWPA3, .boolean, .interruptsPicture,
            "Whether the network has to speak WPA3; else WPA2 does, too."),
        .setting(
            "isHidden", \.isHidden, .boolean, .interruptsPicture, "Whether the network does not announce its name."),
        .setting(
            "country", \.country, .country, .interruptsPicture,
            "Country whose channels and powers the radio may use; \"\": what every country allows."),
        .setting(
            "addresses", \.addresses, .list(of: .addressWithPrefix, 0...8), .interruptsPicture,
            "Addresses of the box in this network; []: by DHCP and router advertisements."),
        .setting(
            "gateways", \.gateways, .list(of: .numericAddress, 0...2), .interruptsPicture,
            "Routers to everywhere else, one of IPv4 and one of IPv6; for addresses that are given."),
        .setting(
            "authentication", \.authentication, .record, .interruptsPicture,
            "How an enterprise network lets the box in (IEEE 802.1X), in place of a key."),
    ])

    var problems: [Problem] {
        var problems = AddressPlan(addresses: addresses, gateways: gateways).problems
        problems += authentication.problems.map { $0.below("/authentication") }
        func add(_ name: String, _ expectation: String) {
            problems.append(Problem(path: "/\(name)", expectation: expectation))
        }
        let isEnterprise = authentication.method != .none
        if ssid == nil, key != nil || isEnterprise || !addresses.isEmpty {
            add("ssid", "the name of the network that the other settings are for")
        }
        if key != nil, isEnterprise { add("key", "\"\", because authentication lets the box in") }
        if requiresWPA3, key == nil, !isEnterprise { add("key", "a passphrase, because requiresWPA3 is true") }
        if requiresWPA3, case .octets? = key { add("key", "a passphrase: WPA3 takes no 64 hexadecimal digits") }
        return problems
    }
}
