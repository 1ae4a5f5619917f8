// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Network
import NetworkFiles
import NetworkHelper
import NetworkPlan
import Shapes
import System
import Time
import Venue

struct ShowNetwork: DeferredCommand {
    static let about = About(
        "network-status", "Show the box's own network: what is applied, and what came of it",
        help: """
            Addresses and links are the kernel's words, states and servers those of systemd-networkd, whether the box was \
            let in those of wpa_supplicant.
            """, form: .table, example: "")
    static let shape = Shape<Self>()

    func run(on setup: NetworkSetup, _ reply: Reply<NetworkStatus>) {
        guard setup.client.isThere else { return reply(.success(NetworkStatus(setup, helper: nil))) }
        setup.client.ask(.status) { [weak setup] result in
            guard let setup else { return }
            // A helper that fails is shown as none; why is in the log.
            reply(.success(NetworkStatus(setup, helper: try? result.get())))
        }
    }
}

/// One interface of the box.
struct LinkRow: Answer {
    let name: String
    let kind: String
    let isUp: Bool
    let addresses: [String]
    let state: String?
    let gateway: String?
    let nameServers: [String]
    let timeServers: [String]
    let leaseServer: String?
    /// What the supplicant says; nil if there is none.
    let admission: JSONValue?

    /// - Parameters:
    ///   - link: networkd's file of the interface.
    ///   - lease: networkd's file of the lease.
    init(
        _ interface: NetworkInterface, link: KeyValueText, lease: KeyValueText, routes: [DefaultRoutes.Route],
        supplicants: [JSONValue]
    ) {
        name = interface.name
        kind = interface.isWireless ? "wifi" : interface.isVLAN ? "vlan" : "wired"
        isUp = interface.isUp
        addresses = LocalInterface.addressesWithPrefix(of: interface.name)
        state = link["ADMIN_STATE"]
        gateway = routes.first { $0.interface == interface.name }?.gateway.description
        nameServers = link.words("DNS")
        timeServers = link.words("NTP")
        leaseServer = lease["SERVER_ADDRESS"]
        admission = supplicants.first { $0["interface"]?.string == interface.name }
    }

    private func said(_ name: String) -> String? { admission?[name]?.string }

    static let shape = Shape<Self>([
        .value("name", \.name, .text, "of the interface"),
        .value("kind", \.kind, .choice(["wired", "wifi", "vlan"]), "a wire, a radio, or a VLAN on a wire"),
        .value("isUp", \.isUp, .boolean, "whether it has a carrier or is associated"),
        .value("addresses", \.addresses, .list(of: .text), "with the lengths of their prefixes"),
        .value("gateway", \.gateway, .optional(.text), "the router through it, of IPv4, or null"),
        .value(
            "state", \.state, .optional(.text),
            "networkd's word, such as configured, configuring, failed or unmanaged, or null"),
        .detail("dns", \.nameServers, .list(of: .text), "name servers of the interface"),
        .detail("ntp", \.timeServers, .list(of: .text), "time servers of the interface"),
        .detail("leaseServer", \.leaseServer, .optional(.text), "who gave the address by DHCP, or null"),
        .computed("admission", .text, "the supplicant's state; COMPLETED: let in; absent: nobody has to be asked") {
            $0.said("state")
        },
        .computed("port", .text, "of 802.1X on a wire: Authorized or Unauthorized") { $0.said("port") },
        .computed("ssid", .text, "the network that the radio is in, as wpa_supplicant writes it") { $0.said("ssid") },
        .computed("bssid", .text, "its access point") { $0.said("bssid") },
    ])
}

struct NetworkStatus: Answer {
    let links: [LinkRow]
    let hasHelper: Bool
    let last: LastApplication?
    let reachesGateway: Bool

    init(_ setup: NetworkSetup, helper: JSONValue?) {
        let supplicants = helper?["supplicants"]?.array ?? []
        links = NetworkInterface.all().filter { $0.isHardware || $0.isVLAN }.sorted { $0.name < $1.name }.map {
            interface in
            let index = DatagramSocket.interfaceIndex(interface.name).map { "\($0)" } ?? ""
            return LinkRow(
                interface, link: Self.networkdFile("links/\(index)"), lease: Self.networkdFile("leases/\(index)"),
                routes: setup.gateways, supplicants: supplicants)
        }
        hasHelper = helper != nil
        last = setup.last
        reachesGateway = setup.reachesGateway
    }

    /// What networkd keeps of an interface. Empty where networkd does not run.
    private static func networkdFile(_ name: String) -> KeyValueText {
        KeyValueText((try? DurableFile.read("/run/systemd/netif/\(name)")) ?? [])  // as said
    }

    static let shape = Shape<Self>([
        .value("links", \.links, .list(of: .row), "the interfaces of the box"),
        .value(
            "hasHelper", \.hasHelper, .boolean, "whether the helper answers, without which uplink cannot be changed"),
        .value("reachesGateway", \.reachesGateway, .boolean, "whether the router answers, or none is wanted"),
        .computed("appliedAt", .text, "when the helper was last asked; absent: not yet") {
            $0.last?.time.description
        },
        .computed("problem", .text, "why that failed; absent: it did not") { $0.last?.problem },
    ])
}
