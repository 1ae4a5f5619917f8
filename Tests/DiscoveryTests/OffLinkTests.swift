// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Foundation
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Discovery

/// Only the link is answered. The box is at 10.0.0.1; its neighbour is 10.0.0.2, behind which there is 10.9.9.9.
@Suite(.serialized, .enabled(if: OwnNetwork.canBeMade)) struct OffLinkTests {
    /// Searches by SSDP from one address, then connects from there, and says whether it was connected.
    private static let client = """
        import socket, sys
        source, port = sys.argv[1], int(sys.argv[2])
        datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagram.bind((source, 0))
        datagram.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("10.0.0.2"))
        search = 'M-SEARCH * HTTP/1.1\\r\\nMAN: "ssdp:discover"\\r\\nMX: 1\\r\\nST: ssdp:all\\r\\n\\r\\n'
        datagram.sendto(search.encode(), ("239.255.255.250", 1900))
        try:
            socket.create_connection(("10.0.0.1", port), timeout=2, source_address=(source, 0)).close()
            print("connected")
        except OSError:
            print("refused")
        """

    private struct Missing: Error { let what: String }

    /// What the client says, while the box serves.
    private static func ask(
        from source: String, _ announced: AnnouncedTelevision, in folder: String, _ loop: EventLoop
    ) throws -> String {
        let (program, output) = ("\(folder)/client.py", "\(folder)/\(source)")
        try client.write(toFile: program, atomically: true, encoding: .utf8)
        let call = "/usr/bin/python3 \(program) \(source) \(announced.location.port) >\(output)"
        #expect(OwnNetwork.shell("nsenter --net=/proc/$(cat \(folder)/peer)/ns/net \(call) &"))
        let end = SystemClock.monotonic() + .seconds(20)
        while SystemClock.monotonic() < end {
            try loop.turn(atMost: .milliseconds(10))
            // It is not there yet.
            let said = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            if said.hasSuffix("\n") { return String(said.dropLast()) }
        }
        throw Missing(what: "nothing from \(source)")
    }

    /// - Parameter folder: where the process id of the neighbour is kept.
    private static func connect(_ folder: String) -> Bool {
        OwnNetwork.shell(
            "unshare --net sleep 60 & echo $! >\(folder)/peer",
            "for i in $(seq 100); do [ $(readlink /proc/$(cat \(folder)/peer)/ns/net) != $(readlink /proc/$$/ns/net) ]"
                + " && exit; sleep 0.05; done; false",
            "ip link set lo up; ip link add box0 type veth peer name venue0 netns $(cat \(folder)/peer)",
            "ip addr add 10.0.0.1/24 dev box0; ip link set box0 up",
            "nsenter --net=/proc/$(cat \(folder)/peer)/ns/net sh -c 'ip link set lo up; ip addr add 10.9.9.9/32 dev lo;"
                + " ip addr add 10.0.0.2/24 dev venue0; ip link set venue0 up'",
            "ip route add default via 10.0.0.2")
    }

    @Test func whoIsBehindAGatewayIsNotAnswered() throws {
        try OwnNetwork.run {
            let folder = NSTemporaryDirectory() + "touchline-link-\(UInt32.random(in: 0 ... .max))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer {
                OwnNetwork.shell("kill $(cat \(folder)/peer)", "rm -r \(folder)")
            }
            #expect(Self.connect(folder))
            let loop = try EventLoop()
            let services = CompanionApplication(contentInformation: WebSocketURL("ws://10.0.0.1:7681/cii"))
            let announced = try AnnouncedTelevision(
                at: .init(interface: "box0", address: NumericAddress(v4: 0x0a00_0001), port: 0),
                DIALResponderTests.description, services, bootID: 1, loop: loop)
            defer { announced.stop() }
            announced.start()
            #expect(try Self.ask(from: "10.0.0.2", announced, in: folder, loop) == "connected")
            #expect(announced.counters.announcer.searches == 1 && announced.counters.announcer.messagesForeign == 0)
            #expect(try Self.ask(from: "10.9.9.9", announced, in: folder, loop) == "refused")
            #expect(announced.counters.announcer.searches == 1 && announced.counters.announcer.messagesForeign == 1)
        }
    }
}
