// SPDX-License-Identifier: Apache-2.0
import NetworkPlan

/// Files of wpa_supplicant (wpa_supplicant.conf(5)). Texts that somebody chose are hexadecimal, which the supplicant reads
/// as well as what is in quotation marks: so none can end its line or its block, or begin a comment.
enum SupplicantText {
    /// The directory in which the helper puts the files. Only root may enter it.
    static let directory = "/run/touchline-network"

    static func authorityName(of kind: Supplicant.Kind) -> String { "\(kind.rawValue)-ca.pem" }
    static func certificateName(of kind: Supplicant.Kind) -> String { "\(kind.rawValue)-client.pem" }
    static func keyName(of kind: Supplicant.Kind) -> String { "\(kind.rawValue)-key.pem" }

    private static let head = "# Written of the settings by touchline-network-helper; a change is lost with the next.\n"

    static func wired(_ authentication: PortAuthentication) -> String {
        let network = ["key_mgmt=IEEE8021X", "eapol_flags=0"] + method(authentication, of: .wired)
        return text(["ap_scan=0"], network)
    }

    static func wireless(_ wifi: WirelessPlan, ssid: NetworkName) -> String {
        var first = ["p2p_disabled=1"]
        if let country = wifi.country { first.append("country=\(country)") }
        var network = ["ssid=\(hex(ssid.description))"]
        if wifi.isHidden { network.append("scan_ssid=1") }
        if wifi.authentication.method != .none {
            let protocols = wifi.requiresWPA3 ? "WPA-EAP-SHA256" : "WPA-EAP WPA-EAP-SHA256"
            network += ["key_mgmt=\(protocols)", "ieee80211w=\(wifi.requiresWPA3 ? 2 : 1)"]
            network += method(wifi.authentication, of: .wifi)
        } else if let key = wifi.key {
            network += personal(key, ssid: ssid, requiresWPA3: wifi.requiresWPA3)
        } else {
            network.append("key_mgmt=NONE")
        }
        return text(first, network)
    }

    private static func personal(_ key: WirelessKey, ssid: NetworkName, requiresWPA3: Bool) -> [String] {
        switch key {
        case .octets(let digits): return ["key_mgmt=WPA-PSK WPA-PSK-SHA256", "ieee80211w=1", "psk=\(digits)"]
        case .passphrase(let text):
            let password = "sae_password=\(hex(text))"
            if requiresWPA3 { return ["key_mgmt=SAE", "ieee80211w=2", password] }
            let psk = PairwiseMasterKey.derived(from: text, ssid: ssid.description)
            return ["key_mgmt=WPA-PSK WPA-PSK-SHA256 SAE", "ieee80211w=1", "psk=\(hex(psk))", password]
        }
    }

    private static func method(_ authentication: PortAuthentication, of kind: Supplicant.Kind) -> [String] {
        func path(_ name: String) -> String { "\"\(directory)/\(name)\"" }
        var lines = [
            "eap=\(authentication.method == .tls ? "TLS" : "PEAP")", "identity=\(hex(authentication.identity))",
        ]
        if !authentication.outerIdentity.isEmpty {
            lines.append("anonymous_identity=\(hex(authentication.outerIdentity))")
        }
        lines.append("ca_cert=\(path(authorityName(of: kind)))")
        // A host name has no character that would have to be escaped.
        if let server = authentication.serverName { lines.append("domain_suffix_match=\"\(server)\"") }
        switch authentication.method {
        case .none: break
        case .peap: lines += ["phase2=\"auth=MSCHAPV2\"", "password=\(hex(authentication.password))"]
        case .tls:
            lines += [
                "client_cert=\(path(certificateName(of: kind)))", "private_key=\(path(keyName(of: kind)))",
            ]
            if !authentication.password.isEmpty {
                lines.append("private_key_passwd=\(hex(authentication.password))")
            }
        }
        return lines
    }

    private static func text(_ first: [String], _ network: [String]) -> String {
        let lines = ["ctrl_interface=\(directory)/control"] + first + ["network={"] + network.map { "\t" + $0 } + ["}"]
        return head + lines.map { $0 + "\n" }.joined()
    }

    private static func hex(_ text: String) -> String { hex(Array(text.utf8)) }

    private static func hex(_ octets: [UInt8]) -> String {
        octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
