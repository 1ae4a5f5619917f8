// SPDX-License-Identifier: Apache-2.0
import JSON
import NetworkPlan
import Shapes
import TestSupport
import Testing

@testable import NetworkFiles

/// The files that a plan makes, letter for letter.
@Suite struct NetworkFilesTests {
    static let devices = [("eth0", false), ("wlan0", true)].compactMap { name, isWireless in
        InterfaceName(name).map { NetworkDevice($0, isWireless: isWireless) }
    }
    private static let head = "# Written of the settings by touchline-network-helper; a change is lost with the next.\n"
    private static let certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"

    /// The texts of the files by their names.
    private static func files(_ document: JSONValue) throws -> [String: String] {
        let plan = NetworkPlan(reading: document)
        try #require(NetworkPlan.kind.problems(of: document).isEmpty && plan.problems.isEmpty)
        let files = try NetworkFiles(plan, devices: devices).files
        for file in files { #expect(FileRule.holds(for: file), "\(file.name)") }
        return Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })
    }

    @Test func aPlanThatSaysNothingHasNoFiles() throws { #expect(try Self.files([:]).isEmpty) }

    @Test func addressesOfAVLAN() throws {
        let files = try Self.files([
            "wired": ["addresses": ["192.0.2.10/24"], "gateways": ["192.0.2.1"], "vlan": 20],
            "dns": ["192.0.2.53", "2001:db8::53"], "searchDomains": ["venue.example", "a.example"],
            "ntp": ["ntp.venue.example"],
        ])
        #expect(
            files["60-touchline-eth0.network"] == Self.head + """
                [Match]
                Name=eth0

                [Link]
                RequiredForOnline=no

                [Network]
                DHCP=no
                IPv6AcceptRA=no
                LinkLocalAddressing=no
                VLAN=vlan20
                MulticastDNS=no
                LLMNR=no
                LLDP=no
                IgnoreCarrierLoss=5s

                """)
        #expect(
            files["60-touchline-vlan20.netdev"] == Self.head + """
                [NetDev]
                Name=vlan20
                Kind=vlan

                [VLAN]
                Id=20

                """)
        #expect(
            files["60-touchline-vlan20.network"] == Self.head + """
                [Match]
                Name=vlan20

                [Link]
                RequiredForOnline=no

                [Network]
                DHCP=no
                IPv6AcceptRA=no
                LinkLocalAddressing=ipv6
                Address=192.0.2.10/24
                DNS=192.0.2.53
                DNS=2001:db8::53
                Domains=venue.example a.example
                NTP=ntp.venue.example
                MulticastDNS=no
                LLMNR=no
                LLDP=no
                IgnoreCarrierLoss=5s

                [Route]
                Gateway=192.0.2.1
                Metric=100

                """)
        // The radio, of which the plan says nothing, has the servers as well.
        #expect(files["60-touchline-wlan0.network"]?.contains("\nDNS=192.0.2.53\n") == true)
        #expect(files.count == 4)
    }

    @Test func withoutAGatewayGroupsHaveARoute() throws {
        let files = try Self.files(["wired": ["addresses": ["192.0.2.10/24"]]])
        let end = "\n[Route]\nDestination=224.0.0.0/4\nScope=link\nMetric=100\n"
        #expect(files["60-touchline-eth0.network"]?.hasSuffix(end) == true)
    }

    @Test func addressesByDHCP() throws {
        let files = try Self.files(["dns": ["192.0.2.53"]])
        #expect(
            files["60-touchline-eth0.network"] == Self.head + """
                [Match]
                Name=eth0

                [Link]
                RequiredForOnline=no

                [Network]
                DHCP=yes
                IPv6AcceptRA=yes
                LinkLocalAddressing=yes
                DNS=192.0.2.53
                MulticastDNS=no
                LLMNR=no
                LLDP=no
                IgnoreCarrierLoss=5s

                [DHCPv4]
                UseNTP=yes
                UseDNS=no
                UseDomains=yes
                UseHostname=no
                RouteMetric=100
                ClientIdentifier=mac

                [DHCPv6]
                UseDNS=no
                UseDomains=yes

                [IPv6AcceptRA]
                UseDNS=no
                UseDomains=yes

                """)
    }

    /// The key of the example in IEEE 802.11 J.4.2.
    @Test func aNetworkWithAKey() throws {
        let files = try Self.files(["wifi": ["ssid": "IEEE", "key": "password", "country": "DE", "isHidden": true]])
        #expect(
            files["wifi-wlan0.conf"] == Self.head + """
                ctrl_interface=/run/touchline-network/control
                p2p_disabled=1
                country=DE
                network={
                \tssid=49454545
                \tscan_ssid=1
                \tkey_mgmt=WPA-PSK WPA-PSK-SHA256 SAE
                \tieee80211w=1
                \tpsk=f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e
                \tsae_password=70617373776f7264
                }

                """)
        let wpa3 = try Self.files(["wifi": ["ssid": "IEEE", "key": "password", "requiresWPA3": true]])[
            "wifi-wlan0.conf"]
        #expect(wpa3?.contains("\tkey_mgmt=SAE\n\tieee80211w=2\n\tsae_password=70617373776f7264\n}") == true)
        let open = try Self.files(["wifi": ["ssid": "IEEE"]])["wifi-wlan0.conf"]
        #expect(open?.contains("\tssid=49454545\n\tkey_mgmt=NONE\n}") == true)
    }

    /// The other two examples of IEEE 802.11 J.4.2.
    @Test(arguments: [
        (
            "ThisIsAPassword", "ThisIsASSID", "0dc0d6eb90555ed6419756b9a15ec3e3209b63df707dd508d14581f8982721af"
        ),
        (
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "becb93866bb8c3832cb777c2f559807c8c59afcb6eae734885001300a981cc62"
        ),
    ]) func keysOfPassphrases(passphrase: String, ssid: String, key: String) {
        let octets = PairwiseMasterKey.derived(from: passphrase, ssid: ssid)
        #expect(octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == key)
    }

    /// RFC 3174 and RFC 2202.
    @Test func digests() {
        func hex(_ octets: [UInt8]) -> String {
            octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(hex(SHA1State().finished(Array("abc".utf8), before: 0)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(hex(SHA1State().finished(Array(long.utf8), before: 0)) == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
        #expect(
            hex(MessageCode(key: Array("Jefe".utf8)).of(Array("what do ya want for nothing?".utf8)))
                == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
    }

    @Test func whoIsLetInByAnAccount() throws {
        let files = try Self.files([
            "wired": [
                "authentication": [
                    "method": "peap", "identity": "box", "anonymousIdentity": "anyone", "password": "p\"é}",
                    "caCertificate": .string(Self.certificate), "serverName": "radius.venue.example",
                ]
            ]
        ])
        #expect(files["wired-ca.pem"] == Self.certificate)
        #expect(
            files["wired-eth0.conf"] == Self.head + """
                ctrl_interface=/run/touchline-network/control
                ap_scan=0
                network={
                \tkey_mgmt=IEEE8021X
                \teapol_flags=0
                \teap=PEAP
                \tidentity=626f78
                \tanonymous_identity=616e796f6e65
                \tca_cert="/run/touchline-network/wired-ca.pem"
                \tdomain_suffix_match="radius.venue.example"
                \tphase2="auth=MSCHAPV2"
                \tpassword=7022c3a97d
                }

                """)
    }

    @Test func whoIsLetInByACertificate() throws {
        let key = "-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n"
        let files = try Self.files([
            "wifi": [
                "ssid": "V",
                "authentication": [
                    "method": "tls", "identity": "box", "caCertificate": .string(Self.certificate),
                    "clientCertificate": .string(Self.certificate), "clientKey": .string(key),
                ],
            ]
        ])
        #expect(files["wifi-key.pem"] == key && files["wifi-client.pem"] == Self.certificate)
        #expect(
            files["wifi-wlan0.conf"]?.hasSuffix(
                """
                \tssid=56
                \tkey_mgmt=WPA-EAP WPA-EAP-SHA256
                \tieee80211w=1
                \teap=TLS
                \tidentity=626f78
                \tca_cert="/run/touchline-network/wifi-ca.pem"
                \tclient_cert="/run/touchline-network/wifi-client.pem"
                \tprivate_key="/run/touchline-network/wifi-key.pem"
                }

                """) == true)
    }

    @Test func interfacesThatTheBoxHas() throws {
        func error(_ document: JSONValue, _ devices: [NetworkDevice]) -> String {
            do throws(NetworkFilesError) {
                _ = try NetworkFiles(NetworkPlan(reading: document), devices: devices)
                return ""
            } catch {
                return "\(error)"
            }
        }
        let (eth0, wlan0) = (Self.devices[0], Self.devices[1])
        let eth1 = NetworkDevice(InterfaceName(ofVLAN: 9), isWireless: false)
        #expect(
            error(["wifi": ["ssid": "V"]], [eth0]).contains("/wifi/interface is \"\"; expected an interface of the box")
        )
        #expect(
            error(["wired": ["vlan": 2]], [eth0, eth1]).contains("one of several interfaces: there is eth0, vlan9"))
        #expect(error(["wired": ["interface": "eth7"]], [eth0, wlan0]).contains("/wired/interface is \"eth7\""))
        #expect(error(["dns": ["192.0.2.1"]], [eth0, eth1]) == "", "every wire has them")
    }

    /// No text of a setting makes a line, a section or a block of its own.
    @Test(arguments: Effort.batches(200)) func noSettingMakesALine(seeds: ClosedRange<UInt64>) throws {
        let pieces = [
            "\"", "\n", "}", "#", "=", "\\", "[Network]", "\nDNS=1.1.1.1\n", "psk=", "\u{0}", "%i", "é", "$(id)", " ",
            "a",
        ]
        for seed in seeds {
            var random = SplitMix64(seed: seed)
            func text(_ most: Int) -> String {
                (0..<Int.random(in: 1...most, using: &random)).map { _ in random.one(of: pieces) }.joined()
            }
            let document: JSONValue = [
                "wired": [
                    "interface": random.percent(20) ? .string(text(3)) : "eth0",
                    "authentication": [
                        "method": "peap", "identity": .string(text(8)), "password": .string(text(8)),
                        "caCertificate": random.percent(20) ? .string(text(3)) : .string(Self.certificate),
                        "serverName": random.percent(20) ? .string(text(2)) : "",
                    ],
                ],
                "wifi": [
                    "ssid": .string(String(text(4))),
                    "key": .string((text(8) + "12345678").filter { $0.isASCII && $0 != "\n" && $0 != "\u{0}" }),
                ], "ntp": random.percent(20) ? [.string(text(3))] : [],
            ]
            guard NetworkPlan.kind.problems(of: document).isEmpty else { continue }
            for file in try NetworkFiles(NetworkPlan(reading: document), devices: Self.devices).files {
                #expect(FileRule.holds(for: file), "seed \(seed): \(file.text)")
            }
        }
    }

    /// The rule can fail.
    @Test func theRuleRefusesAnotherLine() {
        func holds(_ reader: NetworkFile.Reader, _ text: String) -> Bool {
            FileRule.holds(for: NetworkFile(reader: reader, name: "x", text: Self.head + text))
        }
        #expect(holds(.networkd, "[Network]\nDNS=192.0.2.1\n") && !holds(.networkd, "[Service]\n"))
        #expect(!holds(.networkd, "ExecStart=/bin/sh\n") && !holds(.networkd, "# more\n"))
        #expect(!holds(.supplicant, "\tpsk=\"a\"#\"b\"\n") && !holds(.supplicant, "\tssid=\"a\u{7}\"\n"))
    }
}
