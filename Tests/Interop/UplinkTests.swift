// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// The box, its helper and systemd-networkd as they are run, in a network with a router at its other end: addresses
    /// change by settings, and wrong ones take themselves back (G-11). What starts the helper is
    /// `systemd-socket-activate`; the service manager itself, VLANs and radios are left to a board.
    @Suite(.enabled(if: Peer.networkd.isThere && Peer.hasNamespaces)) struct UplinkTests {
        /// Keeps the network. Its wire has no device behind it, so that the box and the helper get a list of interfaces
        /// that says it has one; the user of the service is root there.
        private static let script = """
            set -e
            trap 'kill $(jobs -p)' EXIT
            trap exit TERM
            mount --make-rprivate /
            mount -t tmpfs tmpfs /run
            mount -t sysfs -o ro sysfs /sys
            install -d /run/systemd/network /run/dbus
            sed '/^touchline:/d' /etc/passwd >/run/passwd
            echo 'touchline:x:0:0::/:/bin/false' >>/run/passwd
            mount --bind /run/passwd /etc/passwd
            ip link set lo up
            unshare -n sleep 600 &
            router=$!
            sleep 0.5
            ip link add eth0 type veth peer name venue0
            ip link set venue0 netns $router
            nsenter -t $router -n sh -c 'ip addr add 10.9.0.1/24 dev venue0; ip link set venue0 up'
            dbus-daemon --system --nofork --nopidfile &
            until [ -S /run/dbus/system_bus_socket ]; do sleep 0.1; done
            SYSTEMD_LOG_TARGET=console "$2" &
            until networkctl list eth0 >/dev/null 2>&1; do sleep 0.1; done
            unshare -m sh -c '
                mount -t tmpfs tmpfs /sys/class/net
                mkdir -p /sys/class/net/eth0/device
                echo $$
                exec systemd-socket-activate --listen=/run/touchline-network.sock --accept --inetd "$1"' sh "$3" &
            wait
            """

        private struct Scene {
            let venue: TestVenue
            let entry: [String]
            let state: String

            func start(_ settings: JSONValue) async throws -> (box: BoxProcess, socket: ControlSocket) {
                let box = try await BoxProcess(settings, state: state, through: entry, in: venue)
                return (box, try ControlSocket(box.socket))
            }

            /// Whether the kernel has this address, and no other of IPv4, on the wire.
            func has(_ address: String) async throws -> Bool {
                let text = try await venue.succeed(entry + ["ip", "-4", "-br", "addr", "show", "dev", "eth0"])
                    .outputText
                return text.split(separator: " ").dropFirst(2).map(String.init).filter { $0.contains("/") } == [address]
            }

            func awaitAddress(_ address: String, within limit: Duration = .seconds(20)) async throws -> Bool {
                try await eventually(within: limit) { try await has(address) }
            }
        }

        private static func wired(_ address: String, _ gateway: String) -> JSONValue {
            [
                "uplink": [
                    "wired": ["interface": "eth0", "addresses": [.string(address)], "gateways": [.string(gateway)]]
                ]
            ]
        }

        private static let settings: JSONValue = [
            "http": ["isEnabled": false], "network": ["interface": "eth0"],
            "confirmation": ["withinS": 12, "steadyS": 2],
        ]

        private func open(_ body: (Scene) async throws -> Void) async throws {
            try await TestVenue.open { venue in
                let helper = try Programs.path("touchline-network-helper")
                let keeper = try venue.start(
                    ["unshare", "-n", "-m", "bash", "-c", Self.script, "bash", "", Peer.networkd.path, helper],
                    name: "network")
                var id: Int32?
                _ = try await eventually(within: .seconds(20)) {
                    id = keeper.outputText.split(separator: "\n").compactMap { Int32($0) }.first
                    return id != nil
                }
                guard let id else { throw VenueError("no network: \(keeper.messages)\(keeper.outputText)") }
                let entry = ["nsenter", "-t", "\(id)", "-n", "-m"]
                _ = try await eventually(within: .seconds(10)) {
                    let look = try await venue.run(entry + ["test", "-S", "/run/touchline-network.sock"])
                    return try await look.exitCode(within: .zero) == 0
                }
                try await body(Scene(venue: venue, entry: entry, state: venue.directory.file("state")))
            }
        }

        @Test func aWrongAddressTakesItselfBack() async throws {
            try await open { scene in
                let first = Self.wired("10.9.0.2/24", "10.9.0.1")
                let (box, socket) = try await scene.start(Self.settings.merging(patch: first))
                #expect(try await scene.awaitAddress("10.9.0.2/24"), "applied at the start")
                let reaches = { try socket.ask("network-status").result["reachesGateway"] == true }
                #expect(try await eventually(within: .seconds(20), reaches))

                let right = try socket.ask("config-merge", ["settings": Self.wired("10.9.0.3/24", "10.9.0.1")]).result
                #expect(right.at("/confirmation/expected") == ["gateway", "network"], "\(right)")
                #expect(try await scene.awaitAddress("10.9.0.3/24"))
                func newest() throws -> JSONValue? {
                    try socket.ask("config-history").result["revisions"]?.array?.first
                }
                #expect(try await eventually(within: .seconds(20)) { try newest()?["state"] == "inForce" })
                #expect(try await scene.has("10.9.0.3/24"), "a right one stays")

                _ = try socket.ask("config-merge", ["settings": Self.wired("192.0.2.9/24", "192.0.2.1")])
                #expect(try await scene.awaitAddress("192.0.2.9/24"), "in force")
                #expect(try await scene.awaitAddress("10.9.0.3/24", within: .seconds(30)), "and taken back")
                #expect(try await eventually(within: .seconds(20)) { try newest()?["state"] == "inForce" })
                #expect(try newest()?["comment"]?.string?.contains("no answer of the router") == true)
                #expect(try await eventually(within: .seconds(20), reaches))

                // A box that is cut off while a change is not confirmed starts with what was before it.
                _ = try socket.ask("config-merge", ["settings": Self.wired("192.0.2.9/24", "192.0.2.1")])
                #expect(try await scene.awaitAddress("192.0.2.9/24"))
                box.process.signal(SIGKILL)
                _ = try await box.process.exitCode(within: .seconds(10))
                let (again, _) = try await scene.start(Self.settings.merging(patch: first))
                #expect(try await scene.awaitAddress("10.9.0.3/24"), "not confirmed, not kept")
                try await again.process.end()
                try Peer.networkd.log(test: "uplink", checks: 10)
            }
        }

        @Test func whatCannotBeIsRefused() async throws {
            try await open { scene in
                let (box, socket) = try await scene.start(Self.settings)
                #expect {
                    try socket.ask("config-merge", ["settings": ["uplink": ["wired": ["interface": "eth7"]]]])
                } throws: {
                    "\($0)".contains("there is eth0")
                }
                let status = try socket.ask("network-status").result
                #expect(status["hasHelper"] == true && status.at("/links/0/name") == "eth0", "\(status)")
                try await box.process.end()
            }
        }

        /// Whoever reaches the helper and is not the service, or does not speak as it does, gets nothing.
        @Test func theHelperTakesNothingElse() async throws {
            try await open { scene in
                func helper(_ request: String) async throws -> String {
                    let script = """
                        import socket, sys
                        peer = socket.socket(socket.AF_UNIX)
                        peer.connect("/run/touchline-network.sock")
                        peer.sendall(sys.argv[1].encode())
                        peer.shutdown(socket.SHUT_WR)
                        print(peer.makefile().read())
                        """
                    return try await scene.venue.run(scene.entry + ["python3", "-c", script, request]).outputText
                }
                #expect(try await helper(#"{"verb":"status"}"#).contains(#""isOk":true"#))
                #expect(
                    try await helper(#"{"verb":"run","command":"id"}"#).contains(
                        "the verb is none of apply, status and scan")
                )
                #expect(try await helper("GET / HTTP/1.1").contains("the request is no JSON"))
                let nobody = scene.entry + ["setpriv", "--reuid", "65534", "--clear-groups"]
                let script =
                    "import socket; p = socket.socket(socket.AF_UNIX); p.connect('/run/touchline-network.sock'); "
                    + "p.sendall(b'{\\\"verb\\\":\\\"status\\\"}\\n'); print(p.makefile().read())"
                let output = try await scene.venue.run(nobody + ["python3", "-c", script]).outputText
                #expect(!output.contains("isOk"), "\(output)")
            }
        }
    }
}
