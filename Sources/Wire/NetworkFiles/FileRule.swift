// SPDX-License-Identifier: Apache-2.0

/// What every line of a file has to be, so that no setting can make one of its own. The helper writes no other file.
package enum FileRule {
    /// Whether each line is a comment of ours, the head of a section or a block, or a name of the list with a value that
    /// has no control character.
    package static func holds(for file: NetworkFile) -> Bool {
        guard file.text.utf8.last == 0x0a else { return file.text.isEmpty && file.name.hasSuffix(".pem") }
        if file.name.hasSuffix(".pem") { return file.text.utf8.allSatisfy { $0 == 0x0a || (0x20...0x7e).contains($0) } }
        let lines = file.text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).dropLast()
        var isFirst = true
        return lines.allSatisfy { line in
            defer { isFirst = false }
            guard line.allSatisfy({ $0 == 0x09 || (0x20...0x7e).contains($0) }) else { return false }
            if isFirst { return line.first == UInt8(ascii: "#") }
            let text = String(Substring(line))
            switch file.reader {
            case .networkd: return text.isEmpty || sections.contains(text) || isNamed(text, names)
            case .supplicant:
                return ["network={", "}"].contains(text) || isNamed(text, supplicantNames) && isQuotedOnce(text)
            }
        }
    }

    private static func isNamed(_ line: String, _ names: Set<String>) -> Bool {
        guard let equals = line.firstIndex(of: "=") else { return false }
        return names.contains(String(line[..<equals].drop { $0 == "\t" }))
    }

    /// A comment or another value could begin behind a second pair of quotation marks.
    private static func isQuotedOnce(_ line: String) -> Bool {
        let marks = line.utf8.filter { $0 == UInt8(ascii: "\"") }.count
        return (marks == 0 || marks == 2 && line.hasSuffix("\"")) && !line.contains("#")
    }

    private static let sections: Set = [
        "[Match]", "[Link]", "[Network]", "[Route]", "[DHCPv4]", "[DHCPv6]", "[IPv6AcceptRA]", "[NetDev]", "[VLAN]",
    ]
    private static let names: Set = [
        "Name", "RequiredForOnline", "DHCP", "IPv6AcceptRA", "LinkLocalAddressing", "Address", "DNS", "Domains", "NTP",
        "MulticastDNS", "LLMNR", "LLDP", "IgnoreCarrierLoss", "Gateway", "Metric", "Destination", "Scope", "UseNTP",
        "UseDNS", "UseDomains", "UseHostname", "RouteMetric", "ClientIdentifier", "VLAN", "Kind", "Id",
    ]
    private static let supplicantNames: Set = [
        "ctrl_interface", "ap_scan", "p2p_disabled", "country", "ssid", "scan_ssid", "key_mgmt", "ieee80211w", "psk",
        "sae_password", "eapol_flags", "eap", "identity", "anonymous_identity", "ca_cert", "domain_suffix_match",
        "phase2", "password", "client_cert", "private_key", "private_key_passwd",
    ]
}
