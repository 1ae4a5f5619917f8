// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// How the box reaches the venue's network, as its settings say it. A plan that says nothing leaves everything to the
/// image: DHCP on every wire, and the WiFi of a file that somebody has put on the disk.
public struct NetworkPlan: Record, Equatable {
    public var wired = WiredPlan()
    public var wifi = WirelessPlan()
    /// Name servers in place of those that DHCP names; empty for those of DHCP.
    public var nameServers: [NumericAddress] = []
    public var searchDomains: [HostName] = []
    /// Time servers that are asked before those that DHCP names.
    public var timeServers: [HostName] = []

    public init() {}

    public var saysNothing: Bool { self == NetworkPlan() }

    public static let shape = Shape<Self>([
        .setting(
            "wired", \.wired, .record, .interruptsPicture,
            "The wire: its address, its VLAN and how it is let in. A change opens channels again."),
        .setting(
            "wifi", \.wifi, .record, .interruptsPicture,
            "The WiFi network: its name, its key or how it is let in, its country, its address."),
        .setting(
            "dns", \.nameServers, .list(of: .numericAddress, 0...4), .interruptsPicture,
            "Name servers, in place of those that DHCP names; []: those of DHCP."),
        .setting(
            "searchDomains", \.searchDomains, .list(of: .hostName, 0...8), .interruptsPicture,
            "Domains in which a name without dots is looked up; []: those of DHCP."),
        .setting(
            "ntp", \.timeServers, .list(of: .hostName, 0...8), .interruptsPicture,
            "Time servers (NTP), names or addresses; []: those of DHCP, else the image's."),
    ])

    /// Violations of rules between fields. Their paths begin at the plan; no problem has a secret value.
    public var problems: [Problem] {
        var problems = wired.problems.map { $0.below("/wired") } + wifi.problems.map { $0.below("/wifi") }
        for (index, server) in nameServers.enumerated() where !server.isUnicast {
            problems.append(
                Problem(
                    path: "/dns/\(index)", value: .string(server.description), expectation: "the address of one host"))
        }
        return problems
    }
}

extension Problem {
    /// The problem as one of a document that holds this one.
    func below(_ path: String) -> Problem {
        Problem(path: path + self.path, value: value, isUnknown: isUnknown, expectation: expectation)
    }
}
