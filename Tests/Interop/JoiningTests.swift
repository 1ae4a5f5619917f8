// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// SVM-05: a box and ffmpeg at the two ends of a cable that is pulled out and put in again, and two senders of which
    /// one ends.
    @Suite(.enabled(if: OwnNetwork.canBeMade && Peer.ffmpeg.isThere)) struct JoiningTests {
        static let cable = """
            ip link add box0 type veth peer name venue0
            for i in all default box0 venue0; do
            echo 1 >/proc/sys/net/ipv4/conf/$i/accept_local; echo 0 >/proc/sys/net/ipv4/conf/$i/rp_filter; done
            ip addr add 10.0.0.1/24 dev box0; ip addr add 10.0.0.2/24 dev venue0; ip addr add 10.0.0.3/24 dev venue0
            ip link set box0 up; ip link set venue0 up; ip route replace 224.0.0.0/4 dev venue0
            """

        private static func sender(from source: String, to target: StreamTarget) -> [String] {
            [
                "ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-f", "lavfi", "-i",
                "testsrc2=size=320x180:rate=25", "-c:v", "mpeg2video", "-g", "12", "-b:v", "600k", "-f", "mpegts",
                "udp://\(target.group.address):\(target.group.port)?ttl=1&localaddr=\(source)&pkt_size=1316",
            ]
        }

        /// How long after `moment` the box had received more; nil: not within 5 s.
        private func wait(
            for socket: ControlSocket, toPass count: Int64, since moment: ContinuousClock.Instant
        ) async throws -> Duration? {
            let has = try await eventually(within: .seconds(5)) { try counter("datagrams", socket) > count }
            return has ? ContinuousClock.now - moment : nil
        }

        private func counter(_ name: String, _ socket: ControlSocket) throws -> Int64 {
            try socket.ask("stats").result.at("/stats/reception/\(name)")?.integer ?? -1
        }

        @Test func linkFlapAndSourceFailover() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                try await venue.succeed(["sh", "-ec", Self.cable])
                let target = StreamTarget(name: "Joined", encapsulation: .raw)
                let first = try venue.start(Self.sender(from: "10.0.0.2", to: target), name: "first")
                _ = try venue.start(Self.sender(from: "10.0.0.3", to: target), name: "second")
                let channel = target.json.merging(patch: ["source": "10.0.0.2", "furtherSources": ["10.0.0.3"]])
                let box = try await BoxProcess(
                    ["network": ["interface": "box0"], "channels": .array([channel])], in: venue)
                try await box.tune("Joined")
                let socket = try ControlSocket(box.socket)

                for flap in 1...3 as ClosedRange<Int64> {
                    try await venue.succeed(["ip", "link", "set", "box0", "down"])
                    #expect(try await eventually(within: .seconds(5)) { try counter("linkFlaps", socket) == flap })
                    let before = try counter("datagrams", socket)
                    try await venue.succeed(["ip", "link", "set", "box0", "up"])
                    let back = try await wait(for: socket, toPass: before, since: ContinuousClock.now)
                    #expect(try #require(back) < .seconds(1))
                }
                #expect(try counter("rejoins", socket) == 0)

                let changesBefore = try counter("sourceChanges", socket)
                try await first.end()
                let ended = ContinuousClock.now
                let before = try counter("datagrams", socket) + 5  // on their way
                let over = try await wait(for: socket, toPass: before, since: ended)
                // 0.5 s of silence, 0.1 s between two looks; the rest is the machine's.
                #expect(try #require(over) < .milliseconds(1_500))
                #expect(
                    try await eventually(within: .seconds(5)) {
                        try counter("sourceChanges", socket) == changesBefore + 1
                    })
                try Peer.ffmpeg.log(test: "joining", checks: 9)
            }
        }
    }
}
