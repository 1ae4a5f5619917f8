// SPDX-License-Identifier: Apache-2.0
import Glibc
import Network
import System
import TestSupport
import Testing

/// The kernel itself, in a namespace of its own.
@Suite(.enabled(if: OwnNetwork.canBeMade)) struct InterfaceWatchTests {
    @Test func linksComeAndGo() throws {
        let told = try OwnNetwork.run {
            let watch = try InterfaceWatch()
            var told: [[LinkChange]] = []
            var attachments: [LinkAttachment?] = [watch.links.attachment(named: "box0")]
            let steps: [(String, isUp: Bool)] = [
                ("ip link set lo up; ip link add box0 type veth peer name venue0; ip link set box0 up", false),
                ("ip link set venue0 up", true), ("ip addr add 10.0.0.1/24 dev box0", true),
                ("ip link set venue0 down", false), ("ip link set venue0 up", true), ("ip link del box0", false),
                ("ip link add box0 type veth peer name venue0; ip link set box0 up; ip link set venue0 up", true),
            ]
            for (step, isUp) in steps where OwnNetwork.shell(step) {
                var changes: [LinkChange] = []
                // The kernel tells of a carrier when it comes to it.
                for _ in 0..<500 {
                    changes += try watch.read()
                    if (watch.links.attachment(named: "box0") != nil) == isUp { break }
                    usleep(10_000)
                }
                told.append(changes.filter { if case .link(let name, _) = $0 { name == "box0" } else { false } })
                attachments.append(watch.links.attachment(named: "box0"))
            }
            return (told, attachments)
        }
        let (up, down) = (LinkChange.link(name: "box0", isUp: true), LinkChange.link(name: "box0", isUp: false))
        #expect(told.0 == [[], [up], [], [down], [up], [down], [up]])
        #expect(told.1.map { $0 != nil } == [false, false, true, true, false, true, false, true])
        guard told.0.count == 7 else { return }
        #expect(told.1[2]?.index == told.1[5]?.index && told.1[2]?.session != told.1[5]?.session)
        #expect(told.1[7]?.index != told.1[5]?.index)
    }

    /// More at once than the socket holds: all is listed anew.
    @Test func survivesAnOverflow() throws {
        let names = try OwnNetwork.run {
            let watch = try InterfaceWatch()
            OwnNetwork.shell(
                """
                ip link set lo up
                for i in $(seq 30); do echo link add d$i type veth peer name e$i
                echo link set d$i up; echo link set e$i up; done >/tmp/links.$$
                for r in $(seq 4); do for i in $(seq 30); do
                echo link set d$i down; echo link set d$i up; done; done >>/tmp/links.$$
                ip -batch /tmp/links.$$; rm /tmp/links.$$
                """)
            for _ in 0..<500 {
                _ = try watch.read()
                if watch.links.up.count == 61 { break }
                usleep(10_000)
            }
            return watch.links.up
        }
        let expected: [String] = ["lo"] + (1...30).flatMap { ["d\($0)", "e\($0)"] }
        #expect(names == Set(expected))
    }

    /// A network without a router has no route for groups.
    @Test(.enabled(if: Groups.canBeJoined)) func aGroupWithoutARouteIsAtTheOnlyInterface() throws {
        let found = try OwnNetwork.run { () throws(SystemCallError) -> [UInt32?] in
            _ = OwnNetwork.shell(
                "ip link set lo up", "ip link add box0 type veth peer name venue0", "ip link set box0 up",
                "ip link set venue0 up", "ip addr add 10.9.0.1/24 dev box0", "ip route flush dev box0")
            let alone = RouteLookup.interface(toward: "239.1.1.1")
            let host = RouteLookup.interface(toward: "10.8.0.1")
            let socket = try DatagramSocket(listeningTo: "239.1.1.1", port: 21_911)
            withExtendedLifetime(socket.rawValue) {}
            _ = OwnNetwork.shell("ip addr add 10.9.1.1/24 dev venue0", "ip route flush dev venue0")
            return [
                alone, host, RouteLookup.interface(toward: "239.1.1.1"), DatagramSocket.interfaceIndex("box0"),
            ]
        }
        #expect(found[0] != nil && found[0] == found[3])
        #expect(found[1] == nil && found[2] == nil, "to a host, or of two interfaces")
    }

    @Test func routes() throws {
        let found = try OwnNetwork.run {
            _ = OwnNetwork.connect()
            let none = RouteLookup.interface(toward: "239.1.1.1")
            OwnNetwork.shell("ip route add 224.0.0.0/4 dev box0")
            let first = RouteLookup.interface(toward: "239.1.1.1")
            OwnNetwork.shell("ip route replace 224.0.0.0/4 dev venue0")
            let second = RouteLookup.interface(toward: "239.1.1.1")
            let six = RouteLookup.interface(toward: "ff15::1")
            return (
                none, first == DatagramSocket.interfaceIndex("box0"),
                second == DatagramSocket.interfaceIndex("venue0"), six != nil, RouteLookup.interface(toward: "nowhere")
            )
        }
        #expect(found.0 == nil && found.1 && found.2 && found.3 && found.4 == nil)
    }
}
