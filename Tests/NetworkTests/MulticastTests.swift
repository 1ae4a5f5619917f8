// SPDX-License-Identifier: Apache-2.0
import Glibc
import Network
import System
import TestSupport
import Testing
import Time

/// IPv4 over loopback; IPv6, which loopback does not carry, over the first interface with a link-local address.
@Suite(.enabled(if: Groups.canBeJoined)) struct MulticastTests {
    @Test func hearsOnlyItsGroup() throws { try hearsOnly("239.255.77.9", port: 21_906) }

    /// SAP's groups, link-local scope among them.
    @Test(
        .enabled(if: interfaceWithIPv6 != nil, "no interface has IPv6"),
        arguments: [("ff02::2:7ffe", 21_907), ("ff05::2:7ffe", 21_908), ("ff0e::2:7ffe", 21_909)] as [(String, UInt16)])
    func hearsOnlyItsGroupOfIPv6(group: String, port: UInt16) throws { try hearsOnly(group, port: port) }

    private func hearsOnly(_ group: String, port: UInt16) throws {
        let isSix = group.contains(":")
        let neighbour = isSix ? "ff05::2:1234" : "239.255.77.10"
        let interface = isSix ? try #require(Self.interfaceWithIPv6) : "lo"
        let listener = try DatagramSocket(listeningTo: group, port: port, interface: interface)
        let other = try DatagramSocket(listeningTo: neighbour, port: port, interface: interface)
        for _ in 0..<2 { try Self.send("stranger", to: neighbour, port, interface) }
        try Self.send("hello", to: group, port, interface)
        var batch = DatagramBatch(slots: 4, octets: 64)
        let count = try batch.receive(from: listener)
        #expect(count == 1)
        guard count == 1 else { return }
        #expect(batch.withBytes(0) { String(decoding: $0, as: UTF8.self) } == "hello")
        #expect(batch.source(0).contains(":") == isSix && !batch.source(0).isEmpty)
        #expect(try batch.receive(from: other) > 0)
    }

    /// RFC 4570's exclude.
    @Test func excludedSourcesAreNotHeard() throws {
        let (group, port) = ("239.255.77.11", UInt16(21_911))
        let sender = try DatagramSocket(sendingTo: group, port: port, interface: "lo", hops: 1)
        let address = sender.ownAddress
        let own = try #require(address)
        let deaf = try DatagramSocket(listeningTo: group, port: port, excluding: [own], interface: "lo")
        let other = try DatagramSocket(
            listeningTo: group, port: port, excluding: ["127.0.0.8", "127.0.0.9"], interface: "lo")
        try [UInt8]("hello".utf8).withUnsafeBytes { try sender.send($0) }
        var batch = DatagramBatch(slots: 4, octets: 64)
        #expect(try batch.receive(from: other) == 1)
        #expect(try batch.receive(from: deaf, waits: false) == 0)
    }

    /// By `/proc/net/if_inet6`: address, index, prefix, scope, flags, name; scope 20 is link-local.
    private static let interfaceWithIPv6: String? = {
        // A kernel without IPv6 has no such file.
        guard let table = (try? DurableFile.read("/proc/net/if_inet6")) ?? nil else { return nil }
        let rows = String(decoding: table, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
        return rows.first { $0.count == 6 && $0[3] == "20" }.map { String($0[5]) }
    }()

    private static func send(_ text: String, to group: String, _ port: UInt16, _ interface: String) throws {
        let sender = try DatagramSocket(sendingTo: group, port: port, interface: interface, hops: 1)
        try [UInt8](text.utf8).withUnsafeBytes { try sender.send($0) }
    }

    /// Without an interface the kernel chooses one, or says that there is none; link-local groups are not refused for it.
    @Test func linkLocalWithoutAnInterface() throws {
        do {
            let socket = try DatagramSocket(listeningTo: "ff02::2:7ffe", port: 21_910)
            #expect(socket.rawValue >= 0)
        } catch {
            #expect(error.code.rawValue != EINVAL, "\(error)")
        }
    }
}
