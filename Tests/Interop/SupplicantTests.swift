// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import NetworkFiles
import NetworkPlan
import TestSupport
import Testing

extension Interop {
    /// wpa_supplicant with the files that are made of settings: it reads them as they are meant, and hostapd's switch lets
    /// the box in by them, or does not. Radios need a machine with `mac80211_hwsim`, which nobody has here.
    @Suite(.enabled(if: Peer.wpaSupplicant.isThere && Peer.hasNamespaces)) struct SupplicantTests {
        /// Where the helper puts the files.
        private static let usual = "/run/touchline-network"

        /// Writes what the supplicant reads into the venue's directory.
        /// - Returns: the path of its own file.
        private static func write(_ plan: NetworkPlan, in venue: TestVenue) throws -> String {
            try #require(plan.problems.isEmpty, "\(plan.problems)")
            let devices = [("box0", false), ("lo", true)].compactMap { name, isWireless in
                InterfaceName(name).map { NetworkDevice($0, isWireless: isWireless) }
            }
            var own = ""
            for file in try NetworkFiles(plan, devices: devices).files where file.reader == .supplicant {
                let text = file.text.replacingOccurrences(of: usual, with: venue.directory.path)
                let path = try venue.directory.write(text, to: file.name)
                if Supplicant(fileName: file.name) != nil { own = path }
            }
            return own
        }

        private static func ask(_ interface: String, _ words: [String], in venue: TestVenue) async throws -> String {
            let directory = venue.directory.path
            return try await venue.run(
                ["wpa_cli", "-p", directory + "/control", "-s", directory, "-i", interface] + words
            ).outputText
        }

        /// Names and keys with everything that means something to a parser, each by itself and some together.
        private static let hostile = [
            "\"", "\"#", "#", "}", "\n}\n", "\\", "\\n\"", "network={", "\u{0}", "\u{7f}é", " ", "$(id)", "P\"x\"",
            "a\"#b\"c",
        ]

        @Test func namesAndKeysAreReadAsTheyAreMeant() async throws {
            try await TestVenue.open { venue in
                var checks = 0
                for text in Self.hostile {
                    var plan = NetworkPlan()
                    plan.wifi.ssid = NetworkName(text)
                    let key = "12345678" + text.filter { $0.isASCII && $0 >= " " && $0 <= "~" }
                    plan.wifi.key = WirelessKey(key)
                    let file = try Self.write(plan, in: venue)
                    let supplicant = try venue.start(
                        ["wpa_supplicant", "-c\(file)", "-Dnone", "-ilo", "-K", "-dd"], name: "wpa_supplicant")
                    let answers = try await eventually(within: .seconds(5)) {
                        try await Self.ask("lo", ["ping"], in: venue) == "PONG\n"
                    }
                    #expect(answers, "\(text.debugDescription): \(supplicant.outputText.suffix(2_000))")
                    let hex = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                    let ssid = try await Self.ask("lo", ["get_network", "0", "ssid"], in: venue)
                    // It writes a name in quotation marks if that has printable characters alone.
                    #expect(
                        [hex, "\"\(text)\""].contains(ssid.trimmingCharacters(in: .newlines)),
                        "\(text.debugDescription)")
                    let log = supplicant.outputText
                    let digits = hexadecimal(key)
                    #expect(Self.dump("sae_password", in: log) == digits, "\(key)")
                    #expect(try await Self.ask("lo", ["list_networks"], in: venue).split(separator: "\n").count == 2)
                    try await supplicant.end()
                    checks += 3
                }
                try Peer.wpaSupplicant.log(test: "supplicant", checks: checks)
            }
        }

        /// The octets of a value as `-K -dd` prints them: a line with their number, then lines of sixteen.
        private static func dump(_ name: String, in log: String) -> String {
            let lines = log.split(separator: "\n", omittingEmptySubsequences: false)
            guard let head = lines.firstIndex(where: { $0.hasPrefix("\(name) - hexdump_ascii(len=") }) else {
                return ""
            }
            return lines[(head + 1)...].prefix { $0.hasPrefix("     ") }.map { line in
                line.dropFirst(5).prefix(48).split(separator: " ").joined()
            }.joined()
        }

        private func hexadecimal(_ text: String) -> String {
            text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }

        /// WPA2's key is what wpa_passphrase makes.
        @Test func keysAreThoseOfThePeer() async throws {
            try await TestVenue.open { venue in
                for (ssid, key) in [("Venue", "12345678"), ("a b", "a key with spaces~"), ("é", "\"#'\\ 1234")] {
                    var plan = NetworkPlan()
                    plan.wifi.ssid = NetworkName(ssid)
                    plan.wifi.key = WirelessKey(key)
                    let own = try String(contentsOfFile: Self.write(plan, in: venue), encoding: .utf8)
                    let theirs = try await venue.succeed(["wpa_passphrase", ssid, key]).outputText
                    let line = try #require(theirs.split(separator: "\n").first { $0.hasPrefix("\tpsk=") })
                    #expect(own.contains("\(line)\n"), "\(ssid) \(key)")
                }
            }
        }

        // MARK: 802.1X

        /// A switch with certificates and accounts of its own, at the other end of `box0`.
        private static func makeVenue(in venue: TestVenue) async throws {
            for words in [
                "link add box0 type veth peer name switch0", "link set box0 up", "link set switch0 up",
            ] { try await venue.succeed(["ip"] + words.split(separator: " ").map(String.init)) }
            let script = """
                set -e
                cd "$1"
                openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -subj "/CN=Venue CA" -days 30 -out ca.pem
                openssl req -x509 -newkey rsa:2048 -nodes -keyout other.key -subj "/CN=Other CA" -days 30 -out other.pem
                for name in radius box; do
                    openssl req -newkey rsa:2048 -nodes -keyout $name.key -subj "/CN=$name.venue.example" -out $name.csr
                    printf 'subjectAltName=DNS:%s.venue.example\\n' $name >$name.ext
                    openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile $name.ext -out $name.crt
                    openssl x509 -in $name.crt -out $name.pem
                done
                """
            try await venue.succeed(["sh", "-c", script, "sh", venue.directory.path])
            _ = try venue.directory.write("* PEAP,TLS\n\"box\" MSCHAPV2 746865202270617373776f7264 [2]\n", to: "users")
        }

        /// It forgets whom it has refused: else it would not listen to the same one for a minute.
        private static func startSwitch(in venue: TestVenue) async throws -> ChildProcess {
            let directory = venue.directory.path
            let file = try venue.directory.write(
                """
                interface=switch0
                driver=wired
                ieee8021x=1
                eap_server=1
                use_pae_group_addr=1
                eap_user_file=\(directory)/users
                ca_cert=\(directory)/ca.pem
                server_cert=\(directory)/radius.pem
                private_key=\(directory)/radius.key

                """, to: "hostapd.conf")
            let hostapd = try venue.start(["stdbuf", "-oL", "hostapd", file], name: "hostapd")
            let isThere = try await eventually(within: .seconds(10)) { hostapd.outputText.contains("ENABLED") }
            if !isThere { throw VenueError("hostapd: \(hostapd.outputText)") }
            return hostapd
        }

        private static func text(_ name: String, in venue: TestVenue) throws -> String {
            try String(contentsOfFile: venue.directory.file(name), encoding: .utf8)
        }

        private static func peap(in venue: TestVenue) throws -> PortAuthentication {
            var account = PortAuthentication()
            account.method = .peap
            account.identity = "box"
            account.password = "the \"password"
            let authority = try text("ca.pem", in: venue)
            account.authority = try #require(CertificateText(authority))
            account.serverName = HostName("radius.venue.example")
            return account
        }

        private static func tls(in venue: TestVenue) throws -> PortAuthentication {
            var account = try peap(in: venue)
            account.method = .tls
            account.password = ""
            let (certificate, key) = (try text("box.pem", in: venue), try text("box.key", in: venue))
            account.certificate = try #require(CertificateText(certificate))
            account.privateKey = try #require(PrivateKeyText(key))
            return account
        }

        /// Whether the switch lets the box in by what the settings say.
        private static func isLetIn(by account: PortAuthentication, in venue: TestVenue) async throws -> Bool {
            var plan = NetworkPlan()
            plan.wired.authentication = account
            let hostapd = try await startSwitch(in: venue)
            let file = try write(plan, in: venue)
            let supplicant = try venue.start(
                ["wpa_supplicant", "-c\(file)", "-Dwired", "-ibox0"], name: "wpa_supplicant")
            var isIn: Bool?
            let isOver = try await eventually(within: .seconds(20)) {
                let output = supplicant.outputText
                if output.contains("CTRL-EVENT-EAP-FAILURE") { isIn = false }
                let status = KeyValueText(try await ask("box0", ["status"], in: venue).utf8)
                if status["suppPortStatus"] == "Authorized", status["wpa_state"] == "COMPLETED" { isIn = true }
                return isIn != nil
            }
            #expect(isOver, "\(supplicant.outputText)")
            try await supplicant.end()
            try await hostapd.end()
            return isIn ?? false
        }

        @Test(.enabled(if: Peer.hostapd.isThere)) func theRightOneIsLetIn() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                try await Self.makeVenue(in: venue)
                let account = try Self.peap(in: venue)
                func isLetIn(_ change: (inout PortAuthentication) -> Void) async throws -> Bool {
                    var account = account
                    change(&account)
                    return try await Self.isLetIn(by: account, in: venue)
                }
                #expect(try await Self.isLetIn(by: account, in: venue), "by a password")
                let certified = try Self.tls(in: venue)
                #expect(try await Self.isLetIn(by: certified, in: venue), "by a certificate")
                let other = try Self.text("other.pem", in: venue)
                let stranger = try #require(CertificateText(other))
                let wrong = [
                    try await isLetIn { $0.password = "another" },
                    try await isLetIn { $0.serverName = HostName("evil.example") },
                    try await isLetIn { $0.authority = stranger },
                ]
                #expect(wrong == [false, false, false], "a wrong password, a server of another name, of nobody's")
                try Peer.hostapd.log(test: "supplicant", checks: 5)
            }
        }
    }
}
