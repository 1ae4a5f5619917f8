// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import NetworkFiles
import NetworkPlan
import TestSupport
import Testing

extension Interop {
    /// systemd-networkd with the files that are made of settings, in a network of its own.
    @Suite(.enabled(if: Peer.networkd.isThere && Peer.hasNamespaces)) struct NetworkdTests {
        /// In namespaces of its own: networkd makes the network, and what came of it is printed. Read-only devices are
        /// taken as ready, without udev.
        private static let script = """
            mount --make-rprivate /
            mount -t tmpfs tmpfs /run
            mount -t sysfs -o ro sysfs /sys
            install -d /run/systemd/network
            cp "$1"/60-touchline-* /run/systemd/network
            ip link set lo up
            ip link add eth0 type veth peer name venue0
            ip link set venue0 up
            SYSTEMD_LOG_TARGET=console SYSTEMD_LOG_LEVEL=info "$2" >"$1/networkd.log" 2>&1 &
            networkd=$!
            for try in $(seq 100); do
                grep -q '^ADMIN_STATE=\\(configured\\|failed\\)' /run/systemd/netif/links/* 2>/dev/null && break
                sleep 0.1
            done
            ip -br addr show dev eth0
            ip route show
            cat /run/systemd/netif/links/$(cat /sys/class/net/eth0/ifindex)
            kill $networkd
            """

        private static func run(_ plan: JSONValue, in venue: TestVenue) async throws -> (output: String, log: String) {
            let devices = [InterfaceName("eth0")].compactMap { $0 }.map { NetworkDevice($0, isWireless: false) }
            let plan = NetworkPlan(reading: plan)
            try #require(plan.problems.isEmpty)
            for file in try NetworkFiles(plan, devices: devices).files where file.reader == .networkd {
                _ = try venue.directory.write(file.text, to: file.name)
            }
            let output = try await venue.run(
                ["unshare", "-n", "-m", "bash", "-c", script, "bash", venue.directory.path, Peer.networkd.path],
                within: .seconds(30)
            ).outputText
            return (output, try String(contentsOfFile: venue.directory.file("networkd.log"), encoding: .utf8))
        }

        @Test func addressesAndRoutesAreMade() async throws {
            try await TestVenue.open { venue in
                let (output, log) = try await Self.run(
                    [
                        "wired": ["addresses": ["192.0.2.10/24", "2001:db8::10/64"], "gateways": ["192.0.2.1"]],
                        "dns": ["192.0.2.53"], "searchDomains": ["venue.example"], "ntp": ["ntp.venue.example"],
                    ], in: venue)
                #expect(output.contains("192.0.2.10/24") && output.contains("2001:db8::10/64"), "\(output)\n\(log)")
                #expect(output.contains("default via 192.0.2.1 dev eth0"), "\(output)")
                let state = KeyValueText(output.utf8)
                #expect(state["ADMIN_STATE"] == "configured" && state.words("DNS") == ["192.0.2.53"], "\(output)")
                #expect(state.words("NTP") == ["ntp.venue.example"] && state.words("DOMAINS") == ["venue.example"])
                // What it does not know it says of the file.
                #expect(!log.contains("60-touchline-eth0.network:"), "\(log)")
                try Peer.networkd.log(test: "networkd", checks: 7)
            }
        }

        @Test func groupsHaveARouteWithoutARouter() async throws {
            try await TestVenue.open { venue in
                let (output, log) = try await Self.run(["wired": ["addresses": ["192.0.2.10/24"]]], in: venue)
                #expect(output.contains("224.0.0.0/4 dev eth0"), "\(output)\n\(log)")
                #expect(!log.contains("60-touchline-eth0.network:"), "\(log)")
            }
        }

        /// The kernel of this machine may have no VLANs; that the files are understood shows all the same.
        @Test func filesOfAVLANAreUnderstood() async throws {
            try await TestVenue.open { venue in
                let (output, log) = try await Self.run(
                    ["wired": ["vlan": 20, "addresses": ["192.0.2.10/24"]]], in: venue)
                #expect(output.contains("ADMIN_STATE="), "\(output)")
                #expect(!log.contains("60-touchline-vlan20.netdev:") && !log.contains(".network:"), "\(log)")
            }
        }

        @Test func filesOfDHCPAreUnderstood() async throws {
            try await TestVenue.open { venue in
                let (_, log) = try await Self.run(["dns": ["192.0.2.53"]], in: venue)
                #expect(log.contains("Configuring with /run/systemd/network/60-touchline-eth0.network"), "\(log)")
                #expect(!log.contains("60-touchline-eth0.network:"), "\(log)")
            }
        }
    }
}
