// SPDX-License-Identifier: Apache-2.0
import NetworkPlan
import Venue

/// Files of systemd-networkd (systemd.network(5), systemd.netdev(5)). Their values are numbers, addresses and names that
/// their types have checked; none can hold a line feed.
enum NetworkText {
    /// What a link has, wire, VLAN or radio.
    struct Link {
        let addresses: [AddressWithPrefix]
        let gateways: [NumericAddress]
        let plan: NetworkPlan
        let metric: Int
    }

    /// The image's own, of DHCP.
    static let (wiredMetric, wirelessMetric) = (100, 600)

    private static let head = "# Written of the settings by touchline-network-helper; a change is lost with the next.\n"

    /// The network of a link that has the box's address.
    static func network(_ name: InterfaceName, _ link: Link) -> String {
        var lines = match(name) + ["", "[Network]"]
        let isStatic = !link.addresses.isEmpty
        if isStatic {
            lines += ["DHCP=no", "IPv6AcceptRA=no", "LinkLocalAddressing=ipv6"]
            lines += link.addresses.map { "Address=\($0)" }
        } else {
            lines += ["DHCP=yes", "IPv6AcceptRA=yes", "LinkLocalAddressing=yes"]
        }
        lines += link.plan.nameServers.map { "DNS=\($0)" }
        if !link.plan.searchDomains.isEmpty {
            lines.append("Domains=" + link.plan.searchDomains.map(\.description).joined(separator: " "))
        }
        lines += link.plan.timeServers.map { "NTP=\($0)" }
        lines += quiet
        for gateway in link.gateways { lines += ["", "[Route]", "Gateway=\(gateway)", "Metric=\(link.metric)"] }
        if isStatic, !link.gateways.contains(where: { !$0.isIPv6 }),
            link.addresses.contains(where: { !$0.address.isIPv6 })
        {
            // Without a default route the kernel would not know where to join a group of IPv4.
            lines += ["", "[Route]", "Destination=224.0.0.0/4", "Scope=link", "Metric=\(link.metric)"]
        }
        if !isStatic {
            let (dns, domains) = (link.plan.nameServers.isEmpty, link.plan.searchDomains.isEmpty)
            lines += ["", "[DHCPv4]", "UseNTP=yes", "UseDNS=\(word(dns))", "UseDomains=\(word(domains))"]
            lines += ["UseHostname=no", "RouteMetric=\(link.metric)", "ClientIdentifier=mac"]
            lines += ["", "[DHCPv6]", "UseDNS=\(word(dns))", "UseDomains=\(word(domains))"]
            lines += ["", "[IPv6AcceptRA]", "UseDNS=\(word(dns))", "UseDomains=\(word(domains))"]
        }
        return text(lines)
    }

    /// The network of a wire that only carries a VLAN.
    static func trunk(_ name: InterfaceName, carrying vlan: InterfaceName) -> String {
        text(
            match(name) + [
                "", "[Network]", "DHCP=no", "IPv6AcceptRA=no", "LinkLocalAddressing=no", "VLAN=\(vlan)",
            ] + quiet)
    }

    /// - Parameter vlan: 1...4094.
    static func device(_ name: InterfaceName, vlan: Int) -> String {
        text(["[NetDev]", "Name=\(name)", "Kind=vlan", "", "[VLAN]", "Id=\(vlan)"])
    }

    private static func match(_ name: InterfaceName) -> [String] {
        ["[Match]", "Name=\(name)", "", "[Link]", "RequiredForOnline=no"]
    }

    /// As the image has it: a box says nothing that nobody asked for, and a link that is gone for a moment keeps its
    /// address.
    private static let quiet = ["MulticastDNS=no", "LLMNR=no", "LLDP=no", "IgnoreCarrierLoss=5s"]

    private static func word(_ isSo: Bool) -> String { isSo ? "yes" : "no" }

    private static func text(_ lines: [String]) -> String { head + lines.map { $0 + "\n" }.joined() }
}
