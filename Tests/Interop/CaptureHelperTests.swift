// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// A box without the right to packet sockets gets one from its helper, which `systemd-socket-activate` starts as the
    /// service manager does. What the unit takes away from the helper is left to a board.
    @Suite(.enabled(if: Peer.tshark.isThere && Peer.hasNamespaces)) struct CaptureHelperTests {
        /// Keeps the network. The user of the service is root there.
        private static let script = """
            set -e
            trap 'kill $(jobs -p)' EXIT
            trap exit TERM
            mount --make-rprivate /
            mount -t tmpfs tmpfs /run
            sed '/^touchline:/d' /etc/passwd >/run/passwd
            echo 'touchline:x:0:0::/:/bin/false' >>/run/passwd
            mount --bind /run/passwd /etc/passwd
            ip link set lo up
            echo $$
            until [ -e /run/begin ]; do sleep 0.1; done
            systemd-socket-activate --listen=/run/touchline-capture.sock --accept --inetd "$1" capture &
            wait
            """

        @Test func aBoxWithoutTheRightIsPassedASocket() async throws {
            try await TestVenue.open { venue in
                let helper = try Programs.path("touchline-network-helper")
                let keeper = try venue.start(
                    ["unshare", "-n", "-m", "bash", "-c", Self.script, "bash", helper], name: "network")
                var id: Int32?
                _ = try await eventually(within: .seconds(20)) {
                    id = keeper.outputText.split(separator: "\n").compactMap { Int32($0) }.first
                    return id != nil
                }
                guard let id else { throw VenueError("no network: \(keeper.messages)\(keeper.outputText)") }
                let inside = ["nsenter", "-t", "\(id)", "-n", "-m"]
                let box = try await BoxProcess(
                    ["http": ["isEnabled": false]], through: inside + ["setpriv", "--bounding-set", "-net_raw"],
                    in: venue)

                let alone = try await box.run("capture", "start", "lo")
                let refused = try await alone.exitCode(within: .zero)
                #expect(refused == 1)
                #expect(
                    alone.messages.contains("/run/touchline-capture.sock is not there; expected the helper"),
                    "\(alone.messages)")
                _ = try await venue.succeed(inside + ["touch", "/run/begin"])
                _ = try await eventually(within: .seconds(10)) {
                    let look = try await venue.run(inside + ["test", "-S", "/run/touchline-capture.sock"])
                    return try await look.exitCode(within: .zero) == 0
                }

                // Noise first: it is refused in a line, and the next one is served.
                let noise =
                    "import os, socket; s = socket.socket(socket.AF_UNIX); "
                    + "s.connect('/run/touchline-capture.sock'); s.sendall(os.urandom(2000) + b'\\n'); "
                    + "s.shutdown(socket.SHUT_WR); print(s.recv(4096).decode(), end='')"
                let answer = try await venue.succeed(inside + ["python3", "-c", noise]).outputText
                #expect(answer.hasSuffix("\n") && answer.contains("\"isOk\":false"), "\(answer)")
                #expect(answer.split(separator: "\n").count == 1)

                _ = try await box.answer("capture", "start", "lo", "--address", "127.0.0.9")
                for address in ["127.0.0.9", "127.0.0.8"] {
                    _ = try await venue.succeed(inside + ["ping", "-c", "3", "-i", "0.05", address])
                }
                let status = try await box.answer("capture", "stop")
                #expect(status["frames"] == 6 && status["problem"] == nil, "\(status.text())")
                let path = try CaptureTests.fetch(box, as: "helper.pcap", in: venue)
                let rows = try await CaptureTests.read(path, ["ip.src", "ip.dst", "icmp.type"], in: venue)
                #expect(rows.count == 6 && rows.allSatisfy { $0[0] == "127.0.0.9" || $0[1] == "127.0.0.9" }, "\(rows)")
                let missing = try await box.run("capture", "start", "nowhere0")
                #expect(missing.messages.contains("bind packet nowhere0: No such device"), "\(missing.messages)")
                try Peer.tshark.log(test: "the helper's socket", checks: 1)
            }
        }
    }
}
