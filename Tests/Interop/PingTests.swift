// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// G-12: `ping` of the box beside that of iputils, to a neighbour, through a router, and to what the router refuses.
    @Suite(.enabled(if: Peer.ping.isThere && Peer.hasNamespaces)) struct PingTests {
        /// A router in a network of its own: 10.9.0.2, and fd09::2. It has no way to 10.10.0.0/24, may not go to 10.11.0.0/24,
        /// and swallows 10.12.0.0/24.
        private static func makeRouter(in venue: TestVenue) async throws {
            let router = try venue.start(
                ["unshare", "--net", "sh", "-c", "ip link set lo up && echo up && exec sleep 3600"], name: "router")
            guard try await eventually(within: .seconds(5), { router.outputText.contains("up") }) else {
                throw VenueError("no router: \(router.messages)")
            }
            let there = "nsenter -t \(router.id) -n"
            for line in [
                "echo 0 2147483647 >/proc/sys/net/ipv4/ping_group_range",
                "ip link add box0 type veth peer name router0", "ip link set router0 netns \(router.id)",
                "ip addr add 10.9.0.1/24 dev box0", "ip -6 addr add fd09::1/64 dev box0 nodad", "ip link set box0 up",
                "\(there) ip addr add 10.9.0.2/24 dev router0", "\(there) ip -6 addr add fd09::2/64 dev router0 nodad",
                "\(there) ip link set router0 up", "\(there) sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'",
                "\(there) ip route add unreachable 10.10.0.0/24", "\(there) ip route add prohibit 10.11.0.0/24",
                "\(there) ip route add blackhole 10.12.0.0/24", "ip route add default via 10.9.0.2",
            ] {
                _ = try await venue.succeed(["sh", "-c", line])
            }
        }

        @Test func bothSayTheSame() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                try await Self.makeRouter(in: venue)
                let box = try await BoxProcess(["http": ["isEnabled": false]], in: venue)
                let socket = try ControlSocket(box.socket)
                let rows: [(host: String, answered: Int64, ours: String, theirs: String)] = [
                    ("10.9.0.2", 2, "answered", "2 received"), ("fd09::2", 2, "answered", "2 received"),
                    ("127.0.0.1", 2, "answered", "2 received"),
                    (
                        "10.10.0.1", 0, "host unreachable, says 10.9.0.2",
                        "From 10.9.0.2 icmp_seq=1 Destination Host Unreachable"
                    ),
                    (
                        "10.11.0.1", 0, "prohibited by a filter, says 10.9.0.2",
                        "From 10.9.0.2 icmp_seq=1 Packet filtered"
                    ),
                    ("10.12.0.1", 0, "no answer", "0 received"),
                ]
                for row in rows {
                    // The kernel of the router says why to one host twice, and then once in two seconds.
                    let count: Int64 = row.answered > 0 ? 2 : 1
                    if row.answered == 0 { try await Task.sleep(for: .seconds(5)) }
                    let answer = try socket.ask("ping", ["host": .string(row.host), "count": .integer(count)]).result
                    #expect(
                        answer["sent"] == .integer(count) && answer["answered"] == .integer(row.answered),
                        "\(answer.text())")
                    #expect(answer.at("/probes/0/outcome") == .string(row.ours), "\(row.host): \(answer.text())")
                    let peer = try await venue.run([Peer.ping.path, "-n", "-c", "\(count)", "-W", "2", row.host])
                    #expect(peer.outputText.contains(row.theirs), "\(row.host): \(peer.outputText)")
                    // On a machine that does nothing else both are far below a millisecond.
                    if row.answered > 0 {
                        let mean = try #require(answer["meanMs"]?.number)
                        let theirs = try #require(peer.outputText.split(separator: "/").dropFirst(4).first)
                        let other = try #require(Double(theirs))
                        print("ping \(row.host): \(mean) ms, iputils \(other) ms")
                        #expect(mean > 0 && abs(mean - other) < 50)
                    }
                }
                try Peer.ping.log(test: #function, checks: rows.count * 3)
            }
        }
    }
}
