// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import TestSupport
import Testing
import Venue

@testable import NetworkPlan

/// What the settings say of the network, and what they may not say.
@Suite struct NetworkPlanTests {
    private static let certificate = "-----BEGIN CERTIFICATE-----\nMIIB+zCC\nAaE=\n-----END CERTIFICATE-----\n"
    private static let key = "-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----\n"

    /// The places of all problems, of fields and of rules between them.
    private static func problems(_ document: JSONValue) -> [String] {
        let problems = NetworkPlan.kind.problems(of: document)
        return (problems.isEmpty ? NetworkPlan(reading: document).problems : problems).map(\.path)
    }

    @Test func aPlanIsReadAndWritten() {
        let document: JSONValue = [
            "wired": [
                "interface": "eth0", "addresses": ["192.0.2.10/24", "2001:db8::10/64"],
                "gateways": ["192.0.2.1", "fe80::1"], "vlan": 20,
            ], "dns": ["192.0.2.53"], "searchDomains": ["venue.example"], "ntp": ["ntp.venue.example", "192.0.2.1"],
        ]
        #expect(Self.problems(document) == [])
        let plan = NetworkPlan(reading: document)
        #expect(
            plan.wired.vlan == 20 && plan.wired.addresses.map(\.description) == ["192.0.2.10/24", "2001:db8::10/64"])
        #expect(NetworkPlan(reading: plan.json) == plan && !plan.saysNothing)
        #expect(NetworkPlan(reading: [:]).saysNothing && Self.problems(NetworkPlan().json) == [])
    }

    @Test(arguments: [
        "192.0.2.10", "192.0.2.10/", "192.0.2.10/33", "192.0.2.10/0", "192.0.2.10/024", "192.0.2.10/+8", "::1/129",
        "192.0.2.10/24/1", "192.0.2.10 /24", "/24", "192.0.2.10/99999999999999999999", "",
    ]) func noAddressWithPrefix(text: String) {
        #expect(AddressWithPrefix(text) == nil)
    }

    @Test(arguments: [
        ("192.0.2.0/24", false), ("192.0.2.255/24", false), ("192.0.2.1/24", true), ("192.0.2.1/32", true),
        ("192.0.2.0/31", true), ("127.0.0.1/8", false), ("224.0.0.1/24", false), ("0.0.0.0/8", false),
        ("2001:db8::/64", false), ("2001:db8::1/64", true), ("::1/128", false), ("ff02::1/64", false),
        ("2001:db8::1/127", true),
    ]) func addressesOfHosts(text: String, isOfHost: Bool) throws {
        #expect(try #require(AddressWithPrefix(text)).isOfHost == isOfHost)
    }

    @Test func gatewaysAreInTheNetwork() {
        func wired(_ addresses: [String], _ gateways: [String]) -> [String] {
            Self.problems([
                "wired": [
                    "addresses": .array(addresses.map { .string($0) }),
                    "gateways": .array(gateways.map { .string($0) }),
                ]
            ])
        }
        #expect(wired(["192.0.2.10/24"], ["192.0.2.1"]) == [])
        #expect(wired(["192.0.2.10/24"], ["192.0.3.1"]) == ["/wired/gateways/0"])
        #expect(wired(["192.0.2.10/24"], ["192.0.2.10"]) == ["/wired/gateways/0"])
        #expect(wired(["192.0.2.10/24"], ["192.0.2.255"]) == ["/wired/gateways/0"])
        #expect(wired([], ["192.0.2.1"]) == ["/wired/gateways/0"])
        #expect(wired(["192.0.2.10/24"], ["192.0.2.1", "192.0.2.2"]) == ["/wired/gateways/1"])
        #expect(wired(["192.0.2.10/24"], ["fe80::1"]) == ["/wired/gateways/0"])
        #expect(wired(["2001:db8::2/64"], ["fe80::1"]) == [])
        #expect(wired(["2001:db8::2/64"], ["2001:db9::1"]) == ["/wired/gateways/0"])
        #expect(wired(["192.0.2.10/24", "192.0.2.10/16"], []) == ["/wired/addresses/1"])
    }

    @Test func boundsOfFields() {
        for vlan in [0, 4_095, -1] {
            #expect(Self.problems(["wired": ["vlan": .integer(Int64(vlan))]]) == ["/wired/vlan"])
        }
        for vlan in [1, 4_094] { #expect(Self.problems(["wired": ["vlan": .integer(Int64(vlan))]]) == []) }
        #expect(Self.problems(["dns": ["224.0.0.1"]]) == ["/dns/0"])
        #expect(Self.problems(["dns": ["name.example"]]) == ["/dns/0"])
        #expect(Self.problems(["ntp": ["bad name"]]) == ["/ntp/0"] && Self.problems(["ntp": ["a..b"]]) == ["/ntp/0"])
        #expect(Self.problems(["ntp": ["1.2.3"]]) == ["/ntp/0"], "an address that is wrong is no name")
        #expect(Self.problems(["ntp": ["a\nb"]]) == ["/ntp/0"])
        for name in ["a/b", "a b", "eth0\n", "..", "-x", "abcdefghijklmnop", "%i"] {
            #expect(Self.problems(["wired": ["interface": .string(name)]]) == ["/wired/interface"], "\(name)")
        }
    }

    @Test func networksAndKeys() {
        func wifi(_ members: JSONValue) -> [String] { Self.problems(["wifi": members]) }
        #expect(wifi(["ssid": "Venue", "key": "12345678"]) == [] && wifi(["ssid": "Venue"]) == [])
        #expect(wifi(["ssid": .string(String(repeating: "é", count: 16))]) == [], "32 octets")
        #expect(wifi(["ssid": .string(String(repeating: "é", count: 17))]) == ["/wifi/ssid"])
        #expect(wifi(["ssid": "V", "key": "1234567"]) == ["/wifi/key"])
        #expect(wifi(["ssid": "V", "key": .string(String(repeating: "a", count: 64))]) == [], "hexadecimal")
        #expect(wifi(["ssid": "V", "key": .string(String(repeating: "g", count: 64))]) == ["/wifi/key"])
        #expect(wifi(["ssid": "V", "key": "12345678é"]) == ["/wifi/key"])
        #expect(wifi(["ssid": "V", "key": "1234567\n"]) == ["/wifi/key"])
        #expect(wifi(["key": "12345678"]) == ["/wifi/ssid"])
        #expect(wifi(["ssid": "V", "country": "DE"]) == [] && wifi(["country": "de"]) == ["/wifi/country"])
        #expect(wifi(["ssid": "V", "requiresWPA3": true]) == ["/wifi/key"])
        let digits = JSONValue.string(String(repeating: "0", count: 64))
        #expect(wifi(["ssid": "V", "requiresWPA3": true, "key": digits]) == ["/wifi/key"])
    }

    @Test func whatLetsTheBoxIn() {
        func wired(_ members: JSONValue) -> [String] {
            Self.problems(["wired": ["authentication": members]]).map { String($0.dropFirst(21)) }
        }
        let (certificate, key) = (JSONValue.string(Self.certificate), JSONValue.string(Self.key))
        #expect(wired(["method": "peap"]) == ["/identity", "/caCertificate", "/password"])
        #expect(wired(["method": "peap", "identity": "box", "password": "p", "caCertificate": certificate]) == [])
        #expect(
            wired(["method": "tls", "identity": "box", "caCertificate": certificate])
                == ["/clientCertificate", "/clientKey"])
        #expect(
            wired([
                "method": "tls", "identity": "box", "caCertificate": certificate, "clientCertificate": certificate,
                "clientKey": key,
            ]) == [])
        #expect(
            wired(["caCertificate": key]) == ["/caCertificate"] && wired(["clientKey": certificate]) == ["/clientKey"])
        #expect(
            Self.problems([
                "wifi": [
                    "ssid": "V", "key": "12345678",
                    "authentication": [
                        "method": "peap", "identity": "b",
                        "password": "p", "caCertificate": certificate,
                    ],
                ]
            ]) == ["/wifi/key"])
    }

    @Test(arguments: [
        "x", "-----BEGIN CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\ncomment\n",
        "-----BEGIN CERTIFICATE-----\nAA AA\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "-----BEGIN CERTIFICATE-----\r\nAAAA\r\n-----END CERTIFICATE-----\r\n",
        "\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ]) func noCertificate(text: String) {
        #expect(CertificateText(text) == nil)
    }

    @Test func certificatesAreBoundedAndKeptAsTheyAre() {
        let one = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"
        #expect(CertificateText(one)?.text == one + "\n", "the last line has its end")
        #expect(CertificateText(String(repeating: one + "\n", count: 8)) != nil)
        #expect(CertificateText(String(repeating: one + "\n", count: 9)) == nil)
        let long =
            "-----BEGIN CERTIFICATE-----\n" + String(repeating: "AAAA\n", count: 8_000)
            + "-----END CERTIFICATE-----\n"
        #expect(CertificateText(long) == nil)
    }

    /// SVM-20: no secret is shown, and what is shown can be written back.
    @Test func secretsAreMasked() {
        let secret = "topSecret77"
        let document: JSONValue = [
            "wifi": ["ssid": "V", "key": .string(secret)],
            "wired": ["authentication": ["password": .string(secret), "clientKey": .string(Self.key)]],
        ]
        let shown = NetworkPlan.kind.redacting(document)
        #expect(!shown.text().contains(secret) && !shown.text().contains("MC4CAQ"))
        #expect(NetworkPlan.kind.unmasking(shown, with: document) == document)
        let wrong: JSONValue = ["wifi": ["key": "sevenXX"], "wired": ["authentication": ["clientKey": "sevenXX"]]]
        #expect(!NetworkPlan.kind.problems(of: wrong).map(\.description).joined().contains("sevenXX"))
    }
}
