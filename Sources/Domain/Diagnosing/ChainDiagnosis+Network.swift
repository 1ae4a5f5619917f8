// SPDX-License-Identifier: Apache-2.0

/// From the wire to the groups.
extension ChainDiagnosis {
    /// dBm, below which a radio loses much.
    private static let weakSignal = -80
    /// Damaged packets per million, from which on a wire is doubtful.
    private static let muchDamage = 1_000

    static func wire(_ network: Evidence.Network) -> LinkFinding {
        guard let all = network.interfaces else { return .unknown(.link, "the kernel does not list its interfaces") }
        let used = network.used
        guard !used.isEmpty else {
            guard let wanted = network.wanted else {
                return .broken(
                    .link, "the box has no network interface",
                    try: "look for its driver: touchline log --kernel, or replace the box")
            }
            let others = all.filter { !$0.isLoopback }.map(\.name).sorted().joined(separator: ", ")
            return .broken(
                .link, "network.interface is \(wanted), and the box has \(others.isEmpty ? "none" : others)",
                try: "set network.interface to one that it has")
        }
        // The carrier of a radio is its association, which is a link of its own.
        let working = used.filter { $0.isUp && ($0.hasCarrier || $0.isWireless) }
        guard !working.isEmpty else {
            let names = used.map(\.name).joined(separator: ", ")
            guard used.contains(where: \.isUp) else {
                return .broken(
                    .link, "\(names) is switched off", try: "restart the box, or switch it on: ip link set \(names) up")
            }
            return .broken(
                .link, "\(names) has no carrier",
                try: "plug in its cable; try another cable and another port of the switch")
        }
        let text = working.map(describe).joined(separator: "; ")
        if let half = working.first(where: { $0.isHalfDuplex == true }) {
            return .doubtful(
                .link, "\(half.name) is half duplex", try: "let the port of the switch negotiate by itself")
        }
        if let damaged = working.first(where: { $0.damagedPPM ?? 0 >= muchDamage }) {
            return .doubtful(
                .link, "\(share(damaged.damagedPPM ?? 0)) of what \(damaged.name) receives is damaged",
                try: "replace its cable; try another port of the switch")
        }
        return .fine(.link, text)
    }

    private static func describe(_ interface: Evidence.Network.Interface) -> String {
        let speed = interface.speed.map { ", \($0) Mbit/s" } ?? ""
        return "\(interface.name) is up\(speed)"
    }

    static func association(_ network: Evidence.Network) -> LinkFinding {
        guard network.interfaces != nil else { return .unknown(.association, "the interfaces are not known") }
        let used = network.used
        let radios = used.filter(\.isWireless)
        // Where a wire carries packets, nobody needs a radio beside it.
        guard !radios.isEmpty, !used.contains(where: { !$0.isWireless && $0.isUp && $0.hasCarrier }) else {
            return .unused(.association, radios.isEmpty ? "the box uses a wire" : "a wire is up")
        }
        for radio in radios {
            guard case .with(let point, let signal)? = radio.association else { continue }
            let text = "\(radio.name) is with \(point)" + (signal.map { ", \($0) dBm" } ?? "")
            if let signal, signal < weakSignal {
                return .doubtful(.association, text, try: "bring an access point nearer, or turn the box's antenna")
            }
            return .fine(.association, text)
        }
        guard let radio = radios.first(where: { $0.association != nil }) else {
            return .unknown(.association, "the driver of \(radios[0].name) tells nothing")
        }
        var why = ""
        if case .none(let because?)? = radio.association { why = " (\(because))" }
        return .broken(
            .association, "\(radio.name) is with no access point\(why)",
            try: "see which are heard by touchline wifi-scan; check uplink.wifi: name and key")
    }

    static func address(_ network: Evidence.Network) -> LinkFinding {
        guard network.interfaces != nil else { return .unknown(.address, "the interfaces are not known") }
        let used = network.used
        guard !used.isEmpty else { return .unknown(.address, "the interface is not there") }
        let addresses = used.flatMap(\.addresses)
        let names = used.map(\.name).joined(separator: ", ")
        let usable = network.needsIPv4 ? addresses.filter { !$0.contains(":") } : addresses
        guard let first = usable.first(where: { !$0.hasPrefix("169.254.") }) else {
            let found = usable.first.map { "\(names) has only \($0), which it gave itself" }
            return .broken(
                .address, found ?? "\(names) has no \(network.needsIPv4 ? "IPv4 " : "")address",
                try: "look for the DHCP server of this VLAN, or give an address by uplink")
        }
        if let gateway = network.silentGateway {
            return .doubtful(
                .address, "\(names) has \(first), and the router \(gateway) does not answer",
                try: "check address, VLAN and router; multicast of the own network may work all the same")
        }
        return .fine(.address, "\(names) has \(first)")
    }

    static func multicast(_ network: Evidence.Network, _ announcements: Evidence.Announcements?) -> LinkFinding {
        guard let isJoined = network.isJoined else { return .unknown(.multicast, "memberships are not known") }
        let groups = announcements?.groups ?? []
        // Groups of IPv6 may be joined where those of IPv4 are not, and the other way round where nobody uses IPv6.
        let isDeaf = announcements.map { $0.announcedChannels == 0 && $0.refusals.isEmpty } ?? false
        if let failure = network.joinFailures.first(where: { !isJoined || isDeaf && !$0.hasPrefix("join ff") }) {
            let advice =
                network.wanted == nil && network.routed == nil
                ? "set network.interface, or give the box a route for 224.0.0.0/4"
                : "see touchline log, and whether the interface admits multicast (ip link)"
            return .broken(.multicast, failure, try: advice)
        }
        guard isJoined else {
            return .broken(.multicast, "no group of announcements is joined", try: "see touchline log")
        }
        guard !groups.isEmpty else { return .unused(.multicast, "the settings name no group of announcements") }
        return .fine(.multicast, "joined: \(groups.joined(separator: ", "))")
    }

    /// Parts per million as a percentage.
    static func share(_ ppm: Int) -> String {
        ppm >= 10_000 ? "\(ppm / 10_000) %" : "\(ppm / 10_000).\(ppm / 1_000 % 10)\(ppm / 100 % 10) %"
    }
}
