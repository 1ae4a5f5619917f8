// SPDX-License-Identifier: Apache-2.0
import Casting
import Network
import System
import Time
import Venue

/// The announcements of all channels on one SAP group.
final class GroupAnnouncer {
    let group: HeadEndConfiguration.Group
    private let configuration: HeadEndConfiguration
    private let version: UInt64
    private let socket: SendingSocket
    private var announcer: Announcer
    /// The head-end's own address, which announcements name.
    private var origin: String?
    private(set) var sent = 0
    private(set) var refused = 0

    init(
        _ group: HeadEndConfiguration.Group, of configuration: HeadEndConfiguration, interface: String, version: UInt64,
        start: Monotonic
    ) throws(SystemCallError) {
        self.group = group
        self.configuration = configuration
        self.version = version
        socket = try SendingSocket(
            to: group.address, port: group.port, interface: interface, hops: Int(configuration.hops))
        origin = socket.ownAddress
        announcer = Self.announcer(of: configuration, from: origin, version: version, start: start)
    }

    private static func announcer(
        of configuration: HeadEndConfiguration, from origin: String?, version: UInt64, start: Monotonic
    ) -> Announcer {
        Announcer(
            configuration.channels.map { ($0.announcement, $0.described) },
            origin: origin.flatMap { NumericAddress($0) } ?? NumericAddress(v4: 0x7f00_0001), version: version,
            hops: configuration.hops, start: start)
    }

    func sendDue(at now: Monotonic) {
        send(announcer.due(at: now))
        // The machine has another address, and the socket was opened again.
        guard let address = socket.ownAddress, address != origin else { return }
        origin = address
        announcer = Self.announcer(of: configuration, from: address, version: version, start: now)
    }

    func sendDeletions() { send(announcer.deletions) }

    private func send(_ datagrams: [[UInt8]]) {
        for datagram in datagrams {
            do {
                try datagram.withUnsafeBytes { try socket.send($0) }
                sent += 1
            } catch {
                refused += 1  // the next announcement comes soon
            }
        }
    }
}
